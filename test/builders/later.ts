/** Loaded into a child process before the command: its clock is some hours ahead, as if that time had passed. */
const aheadMs = Number(process.env['STORY_AHEAD_MS'] ?? '0');
const now = Date.now;
Date.now = () => now() + aheadMs;
