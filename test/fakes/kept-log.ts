/**
 * A log that keeps its lines, for tests to search.
 */
import type { Log, LogFields, LogLevel } from '../../src/ports/log.ts';

export interface KeptLog extends Log {
  readonly lines: readonly { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }[];
}

export function createKeptLog(): KeptLog {
  const lines: { level: LogLevel; event: string; fields: LogFields }[] = [];
  return { lines, write: (level, event, fields = {}) => void lines.push({ level, event, fields }) };
}
