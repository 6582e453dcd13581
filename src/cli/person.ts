/**
 * Who is at work, as the ledger and the lease remember it.
 */
import { hostname, userInfo } from 'node:os';
import type { LeaseHolder } from '../ports/lease.ts';

/** The operating system's name of the user: what maker and approver are compared by. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id that has no name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

export function leaseHolder(command: string): LeaseHolder {
  return { pid: process.pid, host: hostname(), user: userName(), command: `payfile ${command}` };
}
