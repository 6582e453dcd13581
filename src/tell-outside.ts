/**
 * What other programs are told when a command is over: the wiring of metrics file and notification. Each is loaded
 * when it is used, and each answers with what went wrong instead of throwing: money's outcome stands already.
 */
import type { NotifyTarget } from './domain/notify-target.ts';
import type { OutputGuard } from './ports/report-sink.ts';

/** Why nobody was told; undefined when all is well. */
export async function sendNotice(target: NotifyTarget, body: string): Promise<string | undefined> {
  if (target.kind === 'url')
    return (await import('./adapters/outside/post-notice.ts')).postNotice(target.url, body);
  const { runNoticeProgram } = await import('./adapters/outside/run-notice-program.ts');
  return runNoticeProgram(target, body);
}

/** What stands in the metrics file; empty when it is not there, or is no metrics file of ours. */
export async function readMetrics(path: string): Promise<string> {
  return (await import('./adapters/outside/metrics-file.ts')).readMetricsFile(path);
}

/** Why nothing was written; throws ReportUnwritable where that file may not be an output. */
export async function writeMetrics(
  path: string,
  text: string,
  guard: OutputGuard,
): Promise<string | undefined> {
  const { writeMetricsFile } = await import('./adapters/outside/metrics-file.ts');
  return writeMetricsFile(path, text, (place) => guard.check(place, 'metrics'));
}
