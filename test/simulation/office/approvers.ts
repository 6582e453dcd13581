/**
 * People who agree: to the plan that they look at, to one that they looked at before, by typing totals, inside a run, or
 * beforehand by a ceiling. While they think, others go on.
 */

import { parseCurrency } from '../../../src/domain/money/currency.ts';
import { formatDecimal } from '../../../src/domain/money/money.ts';
import { run } from '../../../src/operations/run.ts';
import { askWith } from '../../../src/use-cases/user-questions.ts';
import { approvePlan, planShown } from '../../builders/library-calls.ts';
import type { Deed } from '../../simulated-world/money-judge.ts';
import { type ShownPlan, shownPlan, writtenRows } from '../../simulated-world/shown-plan.ts';
import { bring, deadline, repeatsOf } from './clerks.ts';
import { answerRepeats, debitFor, debits } from './decisions.ts';
import { command, type Hand, type Office, pass, type Sheet } from './office.ts';

const MINUTE = 60_000;
const GHS = parseCurrency('GHS');

/** So many plans of a batch somebody still has, on paper or in a chat. */
const PLANS_KEPT = 4;

/** How long somebody thinks, or is away. */
const thinking = ({ random }: Hand) =>
  random.pick([0, 1_000, 20_000, MINUTE, 10 * MINUTE, 31 * MINUTE, 3 * 60 * MINUTE]) * random.next();

/** What somebody saw of the plan with this digest; undefined: it is another one by now. */
async function seen(
  plan: Pick<ShownPlan, 'batch' | 'digest'>,
  { onlooker, scene, shown }: Office,
): Promise<ShownPlan | undefined> {
  const found = await shownPlan(plan, onlooker, scene.scheduler);
  if (found === undefined) return undefined;
  shown.push(found);
  scene.money.shown(found);
  return found;
}

/** Reads the plan, and agrees to nothing yet. */
export async function readPlan(
  { batch }: Sheet,
  { user }: Hand,
  office: Office,
): Promise<ShownPlan | undefined> {
  return command(office, user, async (payfile) => {
    const { plan } = await planShown(payfile, batch);
    return seen({ batch, digest: plan.digest }, office);
  });
}

export async function approveByDigest(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { user, random } = hand;
  const { batch } = sheet;
  const before = office.shown.filter((plan) => plan.batch === batch).slice(-PLANS_KEPT);
  const isKept = random.chance(office.habits.agrees === 'by_older_plan' ? 0.6 : 0.3);
  const plan = before.length > 0 && isKept ? random.pick(before) : await readPlan(sheet, hand, office);
  if (plan === undefined || plan.rows.length === 0) return;
  await pass(office.scene, thinking(hand));
  await command(office, user, async (payfile, deed) => {
    deed.agreement = { rows: plan.rows, maxTotal: undefined };
    return (await approvePlan(payfile, batch, plan.digest)).kind;
  });
}

/** Of all batches at once, each by a process of its own. */
export async function approveAll(_sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  await Promise.all(office.sheets.map((sheet) => approveByDigest(sheet, hand, office)));
}

export async function approveByTotals(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { batch } = sheet;
  await command(office, hand.user, async (payfile, deed) => {
    let digest = '';
    const ask = askWith({
      totals: async ({ totals }) =>
        (await agrees({ batch, digest }, deed, hand, office)) ? totals.map(formatDecimal) : undefined,
    });
    const onProgress = (event: { readonly kind: string }) => {
      if ('seen' in event) digest = (event.seen as { plan: { digest: string } }).plan.digest;
    };
    return (await approvePlan(payfile, batch, undefined, { how: 'typed_total', ask, onProgress })).kind;
  });
}

async function agrees(
  plan: Pick<ShownPlan, 'batch' | 'digest'>,
  deed: Deed,
  hand: Hand,
  office: Office,
): Promise<boolean> {
  const found = await seen(plan, office);
  await pass(office.scene, thinking(hand));
  if (found === undefined || found.rows.length === 0) return false;
  deed.agreement = { rows: found.rows, maxTotal: undefined };
  return true;
}

/** `payfile run FILE` by somebody who reads the plan. */
export async function runFile(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { batch, file } = sheet;
  const repeats = repeatsOf(sheet, hand, office);
  await bring(sheet, { hand, office }, async (payfile, deed) => {
    deed.release = repeats?.release;
    const request = {
      ...{ file, batch, repeats: repeats?.of, skipInvalid: true, deadline: deadline(hand) },
      consent: async ({ digest }) =>
        (await agrees({ batch, digest }, deed, hand, office))
          ? { kind: 'agreed', how: 'library', by: hand.user }
          : { kind: 'not_agreed', reason: 'not now' },
    } satisfies Parameters<typeof payfile.run>[0];
    const ask = askWith({ repeats: (question) => answerRepeats(question.repeats.of, deed, hand) });
    const done = await payfile.call(run, request, { ask });
    return done.end.kind;
  });
}

/** `payfile run FILE --max-total` by a schedule, with nobody there. */
export async function runBySchedule(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { batch, file, rows } = sheet;
  const amounts = rows.map(({ amount }) => Number(amount));
  const sum = amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
  const most = Math.round(sum * hand.random.pick([0.8, 1, 1, 1, 1.5]));
  if (GHS === undefined || office.scene.environment !== 'live') return runFile(sheet, hand, office);
  const bound = hand.random.chance(0.25) ? debitFor(amounts, hand, office) : undefined;
  const maxTotals = [{ minor: BigInt(most), currency: GHS }];
  await bring(sheet, { hand, office }, async (payfile, deed) => {
    deed.agreement = {
      // Somebody else may save the file before it is read.
      get rows() {
        return writtenRows(deed.read ?? rows);
      },
      maxTotal: most / 100,
    };
    const waits = deadline(hand);
    deed.maxDebit = bound;
    const done = await payfile.call(run, {
      file,
      ...{ batch, maxTotal: maxTotals, skipInvalid: true, deadline: waits, maxDebit: debits(bound) },
    });
    return done.end.kind;
  });
}
