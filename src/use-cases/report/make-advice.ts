/**
 * Makes advice for beneficiaries, of settled payments only, and sends nothing. The journal keeps that it was made, so that
 * the next call names payments that came back since.
 *
 * Errors:  BatchNotFound, BatchHalfRead, OtherFileRead, RequestRefused, ReportUnwritable. No file is left behind.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import { isIn } from '../../domain/payouts/payout.ts';
import { type Advice, type AdviceContext, adviceOf, whyNoAdvice } from '../../domain/reporting/advice.ts';
import { input, message } from '../../domain/text/message.ts';
import { countText } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { WallClock } from '../../domain/time-zone.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ReportRow } from '../../ports/ledger/reports.ts';
import type { AdviceTarget, OpenAdviceSink } from '../../ports/outputs.ts';
import { findBatch } from '../find-batch.ts';
import { requireSameFile } from '../intake/half-read.ts';
import type { LookingPorts } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { columnCalled } from './column-called.ts';
import { paidAgainIn } from './paid-again.ts';

interface AdvicePorts extends Pick<LookingPorts, 'ledger' | 'policy' | 'clock'> {
  /** The ledger to write to. */
  readonly journal: () => Promise<Pick<Ledger, 'note'>>;
  readonly openAdviceSink: OpenAdviceSink;
  readonly signal?: AbortSignal | undefined;
}

interface AskedAdvice extends AdviceTarget {
  readonly by: string;
  /** Header of the column with a phone or an e-mail address. */
  readonly contact: string | undefined;
  readonly text: string | undefined;
}

export interface AdviceMade {
  readonly batch: Batch;
  /** 0: nothing was written. */
  readonly rows: number;
  readonly withoutContact: number;
  /** Why rows were left out, with how many. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly cameBack: readonly AdvisedReturn[];
}

/** A payment that came back after its advice was made. */
export interface AdvisedReturn {
  readonly row: number;
  readonly advisedAt: Timestamp;
  readonly returnedAt: Timestamp;
}

/** A browser opens and prints so many. */
const PAGES_MAX = 20_000;

export async function makeAdvice(named: string, asked: AskedAdvice, ports: AdvicePorts): Promise<AdviceMade> {
  const { ledger, signal } = ports;
  const batch = await findBatch(named, ledger);
  const { id } = batch;
  const { by, format, contact } = asked;
  // Its columns name the cells of all rows.
  const requireThisFile = async () => requireSameFile(batch, await ledger.batch(id));
  await requireThisFile();
  const { settled } = await ledger.counts(id, ['settled']);
  if (format !== 'csv' && settled > PAGES_MAX) throw new RequestRefused(tooManyPages(settled));
  const context = contextOf(batch, asked, ports);
  const [incidents, paidAgain] = [await notedIncidents(id, { ledger }), await paidAgainIn(id, ledger)];
  const advised = await ledger.notes(id, 'advice_made');
  const leftOut = new Map<string, number>();
  const cameBack: AdvisedReturn[] = [];
  let [rows, withoutContact] = [0, 0];
  const sink = await ports.openAdviceSink(asked);
  try {
    await sink.begin();
    for await (const page of ledger.reportRows(id)) {
      signal?.throwIfAborted();
      const advice: Advice[] = [];
      for (const row of page) {
        if (advised.length > 0) cameBack.push(...(await backSince(row, advised, ledger)));
        const why = whyNoAdvice(row, incidents, paidAgain);
        if (why === undefined) advice.push(...(await adviceIn(row, context, ledger)));
        else leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
      }
      rows += advice.length;
      withoutContact += advice.filter((each) => each.contact === '').length;
      await sink.write(advice);
    }
    await requireThisFile();
    if (rows === 0) await sink.abort();
    else {
      // Before the file is in its place: a return is told only of advice that is noted.
      const note = { by, rows, format, contact: contact !== undefined };
      await (await ports.journal()).note(id, 'advice_made', note, ports.clock.now());
      await sink.end();
    }
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return { batch, rows, withoutContact, leftOut, cameBack };
}

const tooManyPages = (count: number) =>
  message(
    'advice_too_large',
  )`${countText(count)} pages are too many; at most ${countText(PAGES_MAX)} are made. Make a table: ${input('output', 'FILE.csv')}.`;

/** Errors: RequestRefused. */
function contextOf(
  { file: { headers } }: Batch,
  { contact, text: template }: AskedAdvice,
  { ledger, policy: { organization: payer, timeZone = ledger.identity.timeZone } }: AdvicePorts,
): AdviceContext {
  if (payer === undefined && template?.includes('{payer}'))
    throw new RequestRefused(
      message(
        'payer_missing',
      )`${input('text')} names {payer}. Set “organization” in the configuration first.`,
    );
  const contactAt = contact === undefined ? undefined : columnCalled(contact, headers, 'contact');
  return {
    ...{ environment: ledger.identity.environment, payer, contactAt, template },
    clock: new WallClock(timeZone),
  };
}

async function adviceIn({ payout, cells }: ReportRow, context: AdviceContext, ledger: Ledger) {
  if (!isIn(payout, 'settled')) return [];
  const { replaces } = payout.instruction;
  const earlier = replaces && (await ledger.payout(replaces));
  const back = earlier && isIn(earlier, 'returned') ? context.clock.day(earlier.state.returnedAt) : '';
  return [adviceOf({ payout, cells }, back, context)];
}

/** Payments of the row that were settled when advice was made, and came back after that. */
async function backSince(
  { payout, replaced }: ReportRow,
  advised: readonly { readonly at: Timestamp }[],
  ledger: Ledger,
): Promise<readonly AdvisedReturn[]> {
  const found: AdvisedReturn[] = [];
  for (const each of [...replaced, payout]) {
    if (!isIn(each, 'returned')) continue;
    const { returnedAt } = each.state;
    const settledAt = (await ledger.journalOf(each.id)).find(({ kind }) => kind === 'settle')?.at;
    const advice = advised.find(({ at }) => settledAt !== undefined && settledAt <= at && at < returnedAt);
    if (advice !== undefined) found.push({ row: payout.rowNumber, advisedAt: advice.at, returnedAt });
  }
  return found;
}
