/**
 * What doctor says of ledgers: the one that is configured, rows in it whose outcome is not known, and the others that
 * were used on this machine.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../domain/counted.ts';
import { type Call, typed } from '../call.ts';
import { EXIT } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import type { Opened } from '../open-parts.ts';
import { tellDoubts } from '../other-doubts.ts';
import type { Check } from './doctor.ts';
import { modeChecks } from './doctor-modes.ts';

/** One line a batch; a person who mends these finds the next ones. */
const BATCHES_MAX = 20;

export async function ledgerChecks(opened: Opened, call: Call): Promise<Check[]> {
  const what = 'Ledger';
  const { ledgerPath, environment } = opened.settings;
  const isGone =
    environment === 'live' && (await opened.parts.knownLedgerPaths()).includes(resolve(ledgerPath));
  if (!existsSync(ledgerPath) && !isGone) {
    const isGood = environment === 'sandbox';
    const text = `${ledgerPath} is not there${isGood ? ' yet; the first run makes it' : ''}`;
    const mend = isGood
      ? undefined
      : `If no payments were ever made with another ledger: ${typed(call, 'init')}`;
    return [{ what, isGood, text, mend }, ...(await knownLedgers(opened))];
  }
  // Before it is opened: opening narrows what is too open.
  const modes = modeChecks(opened.settings);
  try {
    const store = await opened.ledger({ tellsPlace: true });
    const { identity } = store;
    const batches = (await store.batches()).length;
    const text = `${identity.path}, ${identity.environment}, of ${identity.baseUrl}, ${counted(batches, 'batch', 'batches')}`;
    const doubts = (await store.openDoubts()).slice(0, BATCHES_MAX).map((each): Check => {
      const told = tellDoubts(each, call);
      return { what: 'Doubts', isGood: false, text: told.text, mend: told.next, code: EXIT.inDoubt };
    });
    return [{ what, isGood: true, text }, ...modes, ...doubts, ...(await knownLedgers(opened))];
  } catch (error) {
    const { message, next, exitCode } = failureOf(error, call);
    // Whoever reads this has just typed it.
    const mend = next === typed(call, 'doctor') ? undefined : next;
    return [{ what, isGood: false, text: message, mend, code: exitCode }, ...modes];
  }
}

/** A ledger that is gone has taken its memory of payments with it. The sandbox's own cost nobody anything. */
async function knownLedgers({ parts, settings }: Opened): Promise<Check[]> {
  const known = await parts.knownLedgerPaths();
  const there = known.filter((path) => existsSync(path));
  const gone = known.filter((path) => !existsSync(path) && path !== resolve(settings.ledgerPath));
  const list = settings.locations.knownLedgers;
  const lost = gone.map((path) => ({
    what: 'Known ledgers',
    isGood: false,
    text: `${path} is gone, and with it what was paid from it`,
    mend: `Put it back; a backup (payfile restore FILE) does not know what was paid after it was made. Where it paid nothing, take it out of ${list}`,
  }));
  return [
    ...(there.length === 0 ? [] : [{ what: 'Known ledgers', isGood: true, text: there.join(', ') }]),
    ...(settings.environment === 'live' ? lost : []),
  ];
}
