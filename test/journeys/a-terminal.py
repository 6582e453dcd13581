"""Runs a command on a terminal of its own, waits for texts and types answers; prints what the screen got.

Arguments: JSON list of [text to wait for, text to type], then the command. Ends with the command's exit code.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

answers = json.loads(sys.argv[1])
pid, screen = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
# The size is set before the command has started up; without one a line has no columns.
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(os.environ.get("SCREEN_COLUMNS", "100")), 0, 0))
seen, since, limit = b"", 0, time.time() + 80
while time.time() < limit:
    ready, _, _ = select.select([screen], [], [], 0.2)
    if ready:
        try:
            chunk = os.read(screen, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    if answers and answers[0][0].encode() in seen[since:]:
        since = len(seen)
        time.sleep(0.3)
        os.write(screen, answers.pop(0)[1].encode())
sys.stdout.buffer.write(seen)
if time.time() >= limit:
    sys.stdout.buffer.write(b"\nThe terminal was closed: nothing happened for too long.\n")
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
