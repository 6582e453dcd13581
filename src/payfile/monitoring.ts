/**
 * What others are told of a command: where its metrics and its notification go, and what waits in the ledger for a person.
 */
import type { Doubts } from '../domain/next-steps/batch-steps.ts';
import { type NotifyTarget, notifyTargetOf } from '../domain/reporting/notify-target.ts';
import { type Message, saidBy } from '../domain/text/message.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import { ReportUnwritable } from '../ports/outputs.ts';
import { changeMetrics, compose, sendNotice } from '../setup/compose.ts';
import type { Settings } from '../setup/load-settings.ts';
import { besideStatusOf } from '../use-cases/report/batch-standing.ts';
import { type HostContext, type OpenRequest, outputsFor, settingsFor } from './open.ts';

/** What waits for a person. */
export interface Waiting {
  readonly doubts: readonly Doubts[];
  /** Held rows of all batches. */
  readonly held: number;
  /** When the first of the payments on their way was sent; undefined: none is on its way. */
  readonly oldestOnItsWay: Timestamp | undefined;
  /** Rows of all batches that differ from what was asked, where no person accepted that. */
  readonly differing: number;
}

export interface Monitoring {
  readonly metricsFile: string | undefined;
  readonly notify: NotifyTarget | undefined;
  readonly on: Settings['notify']['on'];
  /** Throws ReportUnwritable where the file may not be a metrics file. */
  requireMetricsPlace(path: string): Promise<void>;
  /**
   * The text that stands there, empty when it is not payfile's, becomes another one. Why nothing was written: `refused` where the file may not be a metrics file. */
  changeMetrics(
    path: string,
    change: (before: string) => string,
  ): Promise<{ readonly kind: 'refused' | 'failed'; readonly reason: string | Message } | undefined>;
  /** Why the notification failed; undefined when it was sent. */
  send(target: NotifyTarget, text: string): Promise<string | undefined>;
  /** Of the whole ledger; undefined when it cannot be opened. Changes nothing. */
  waiting(): Promise<Waiting | undefined>;
}

export function monitoringOf(request: OpenRequest, context: HostContext): Monitoring {
  const settings = settingsOrNothing(request, context);
  const outputs = outputsFor(request, context, settings);
  const { cwd } = context;
  const to = request.notify ?? settings?.notify.to;
  return {
    metricsFile: request.metricsFile ?? settings?.metricsFile,
    notify: to === undefined ? undefined : notifyTargetOf(to),
    on: settings?.notify.on ?? 'problem',
    requireMetricsPlace: (path) => outputs.check(path, 'metrics'),
    async changeMetrics(path, change) {
      try {
        const reason = await changeMetrics(path, change, outputs, cwd);
        return reason === undefined ? undefined : { kind: 'failed', reason };
      } catch (error) {
        if (!(error instanceof ReportUnwritable)) throw error;
        return { kind: 'refused', reason: saidBy(error) };
      }
    },
    send: (target, text) => sendNotice(target, text, context),
    waiting: async () => (settings === undefined ? undefined : waitingIn(settings, context)),
  };
}

function settingsOrNothing(request: OpenRequest, context: HostContext): Settings | undefined {
  try {
    return settingsFor(request, context);
  } catch {
    return undefined;
  }
}

async function waitingIn(settings: Settings, context: HostContext): Promise<Waiting | undefined> {
  const parts = compose(settings, { log: { write: () => undefined }, ...context });
  try {
    if (!(await parts.hasLedger())) return undefined;
    const ledger = await parts.ledger({ readOnly: true });
    let [held, differing] = [0, 0];
    const sent: Timestamp[] = [];
    for (const { id } of await ledger.batches()) {
      const counts = await ledger.counts(id);
      held += counts.held;
      differing += (await besideStatusOf(id, { ledger })).differing;
      if (counts.accepted > 0)
        sent.push(...[await ledger.oldestOnItsWay(id)].filter((at) => at !== undefined));
    }
    const oldestOnItsWay = sent.length === 0 ? undefined : timestampOf(Math.min(...sent));
    return { doubts: await ledger.openDoubts(), held, oldestOnItsWay, differing };
  } catch {
    return undefined;
  } finally {
    await parts.close().catch(() => undefined);
  }
}
