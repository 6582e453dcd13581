/**
 * The log: events with an allow-list of fields. What is not in LogFields cannot be logged, so an account
 * number, a name, a token or a message body has no way in.
 */

/** How much a log entry matters. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** All that may be logged. Accounts, names, tokens and messages of the service are no fields. */
export interface LogFields {
  readonly batch?: string;
  readonly payout?: string;
  readonly row?: number;
  readonly attempt?: number;
  readonly status?: string;
  readonly endpoint?: string;
  readonly httpStatus?: number;
  readonly code?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly durationMs?: number;
  readonly count?: number;
  readonly delayMs?: number;
  readonly path?: string;
  readonly queue?: string;
}

/** Takes what payfile logs. What it throws changes nothing. */
export interface Log {
  write(level: LogLevel, event: string, fields?: LogFields): void;
}
