/**
 * When a command that works on a batch is over, however it ended: the metrics file is written and whoever wants to
 * know is told. Nothing here changes the exit code, and nothing waits longer than the limits of what it calls.
 *
 * A problem is said even with --quiet: a page that was never sent looks like peace.
 */
import { hostname } from 'node:os';
import type { NotifyOn } from '../config.ts';
import { type NotifyTarget, notifyTargetOf } from '../domain/notify-target.ts';
import type { Call } from './call.ts';
import { EXIT } from './exit-code.ts';
import { metricsText } from './metrics-text.ts';
import { noticeText } from './notice.ts';
import { settingsOf } from './open-parts.ts';
import type { RunFacts } from './run-facts.ts';

const WORKING = ['run', 'send', 'settle'];

export interface Outside {
  readonly metricsFile: string | undefined;
  readonly notify: NotifyTarget | undefined;
  readonly on: NotifyOn;
}

/** Sentences about what could not be written or told. */
export async function afterWork(call: Call, facts: RunFacts): Promise<readonly string[]> {
  if (!WORKING.includes(call.command)) return [];
  const { metricsFile, notify, on } = outsideOf(call);
  const isWanted = on === 'always' || facts.exitCode !== EXIT.done;
  if (metricsFile === undefined && (notify === undefined || !isWanted)) return [];
  const { sendNotice, writeMetrics } = await import('../tell-outside.ts');
  const problems: string[] = [];
  if (metricsFile !== undefined) {
    const problem = await writeMetrics(metricsFile, metricsText(facts));
    if (problem !== undefined)
      problems.push(
        `The metrics file ${metricsFile} could not be written: ${problem}. Nothing else was changed.`,
      );
  }
  if (notify !== undefined && isWanted) {
    const problem = await sendNotice(notify, noticeText(facts, hostname()));
    if (problem !== undefined)
      problems.push(`Nobody was told: ${notify.shown}: ${problem}. payfile doctor checks it.`);
  }
  return problems;
}

/** Flags over configuration; a configuration that cannot be read still leaves the flags. */
export function outsideOf(call: Call): Outside {
  const { flags } = call;
  const configured = settingsOrNothing(call);
  const to = flags.notify ?? configured?.notify.to;
  return {
    metricsFile: flags.metricsFile ?? configured?.metricsFile,
    notify: to === undefined ? undefined : notifyTargetOf(to),
    on: configured?.notify.on ?? 'problem',
  };
}

function settingsOrNothing(call: Call) {
  try {
    return settingsOf(call);
  } catch {
    return undefined;
  }
}
