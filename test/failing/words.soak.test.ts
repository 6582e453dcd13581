/**
 * The messages after a disk error. Each write of a run of three rows fails in turn. The test compares every printed
 * sentence with the service's book. The whole command runs in this process.
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';
import { DISK_FAULTS, type FailingDisk, failingDisk } from './failing-disk.ts';

const ROWS = 3;
const RUN = ['run', 'pay.csv', '--batch', 'a', '--max-total', 'GHS=1000', '--report', 'r.csv'];
/** Long enough to look the first transfer up before the others go; the last ones are for `settle`. */
const AT_ONCE = ['--deadline', '10s'];
const SETTLE = ['settle', 'a', '--report', 'r.csv', '--deadline', '10s'];

interface Place {
  readonly office: Office;
  readonly accounts: readonly string[];
}

interface Said {
  readonly code: number | null;
  readonly text: string;
  /** Transfers of these accounts in the service's book, before the command and after it. */
  readonly before: number;
  readonly executed: number;
  readonly hasLedger: boolean;
}

let live: LiveService;
let disk: FailingDisk;
let number = 0;
const places: Place[] = [];
beforeAll(async () => {
  live = await startLiveService();
  disk = failingDisk();
});
afterAll(async () => {
  disk.restore();
  for (const { office } of places) office.close();
  await live.sandbox.close();
});

function aPlace(): Place {
  number += 1;
  const office = openOffice({ ...live.env, PAYFILE_POLL_MIN_MS: '20', CI: 'true' });
  const accounts = Array.from({ length: ROWS }, (_, row) => `10${String(number).padStart(9, '0')}${row}1`);
  office.file('pay.csv', payrollCsv(accounts.map((account) => [account, '100.00'])));
  const place = { office, accounts };
  places.push(place);
  return place;
}

async function called({ office, accounts }: Place, words: readonly string[]): Promise<Said> {
  const executed = () => {
    const entries = live.sandbox.book.entries().filter(({ account }) => accounts.includes(account));
    expect(new Set(entries.map(({ account }) => account)).size, 'an account is paid twice').toBe(
      entries.length,
    );
    return entries.length;
  };
  const before = executed();
  const { code, stdout, stderr } = await office.payfile(...words);
  const hasLedger = existsSync(ledgerOf(office));
  return { code, text: `${stdout}\n${stderr}`, before, executed: executed(), hasLedger };
}

const ledgerOf = (office: Office) => office.at('state/payfile/ledger.db');

/** Every sentence about money that was printed and is not so, by the service's own book. */
function falseWords({ text, before, executed, hasLedger, code }: Said): string[] {
  const complaints: string[] = [];
  const now = executed - before;
  const claim = (what: RegExp, isTrue: boolean) => {
    for (const [found] of text.matchAll(what)) if (!isTrue) complaints.push(`“${found}”`);
  };
  const count = (what: RegExp) => Number(what.exec(text)?.[1] ?? 0);
  claim(/\bnothing (more |else )?(was|were|is) (sent|changed|done|paid|written|kept)\b/gi, now === 0);
  claim(/\bno ledger was made\b/gi, !hasLedger);
  claim(/\bNothing was written\b/gi, !hasLedger);
  const unknown = count(/(\d+) rows? may have been paid/);
  if (/rows? (was|were) sent\.|may have been paid/.test(text)) {
    const sent = count(/(\d+) rows? (?:was|were) sent\./);
    if (sent > executed || executed > sent + unknown) complaints.push(`${sent} to ${sent + unknown} sent`);
  }
  if (
    /\d rows? (was|were) not sent\./.test(text) &&
    count(/(\d+) rows? (?:was|were) not sent\./) > ROWS - executed
  )
    complaints.push('too many rows not sent');
  const table = /Batch a[^\n]*: \d payments: ([^\n]*)\./.exec(text)?.[1] ?? '';
  if (table !== '') {
    const [known, open] = [
      sumOf(table, /settled|on its way|on their way/),
      sumOf(table, /being sent|in doubt/),
    ];
    if (known > executed || executed > known + open) complaints.push(`“${table}”`);
  }
  // Silence about money that moved is false, too.
  const tells =
    table !== '' || /rows? (was|were) sent\.|may have been paid|transfers? (was|were) begun/.test(text);
  if (now > 0 && code !== 0 && !tells) complaints.push('not a word of the money that moved');
  return complaints.map((words) => `${words} (${executed} executed, ${now} by this command, exit ${code})`);
}

function sumOf(table: string, what: RegExp): number {
  return table
    .split(', ')
    .filter((part) => what.test(part))
    .reduce((sum, part) => sum + Number.parseInt(part, 10), 0);
}

async function without(place: Place, words: readonly string[]): Promise<Said> {
  disk.arm(undefined, 0);
  endProcess(place);
  return called(place, words);
}

/** The process that met the fault is gone: what it held is free again. */
function endProcess({ office }: Place): void {
  const path = ledgerOf(office);
  if (!existsSync(path)) return;
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM leases');
  db.close();
}

/** What later commands say, once there is room again; and that every row is paid once in the end. */
async function complaintsOfLater(place: Place): Promise<string[]> {
  const status = await without(place, ['status', 'a']);
  const again = await without(place, [...RUN, ...AT_ONCE, '--new-ledger']);
  const last = await without(place, ['status', 'a']);
  const complaints = [status, again, last].flatMap((said) =>
    falseWords(said).map((words) => `later: ${words}`),
  );
  const doubts = sumOf(/payments: ([^\n]*)\./.exec(last.text)?.[1] ?? '', /in doubt/);
  if (last.executed + doubts < ROWS)
    complaints.push(`later: ${last.executed} of ${ROWS} executed: ${again.text}`);
  return complaints;
}

it.each(DISK_FAULTS.map((fault) => [fault.name, fault] as const))(
  'a run says of the money what the book says, wherever it meets %s',
  async (_, fault) => {
    const complaints: string[] = [];
    let afterMoney = 0;
    for (let nth = 1; ; nth += 1) {
      const place = aPlace();
      disk.arm(fault, nth);
      const said = await called(place, [...RUN, ...AT_ONCE, '--new-ledger']);
      const struck = disk.struck();
      if (struck === undefined) break;
      if (said.executed > 0) afterMoney += 1;
      const found = [...falseWords(said), ...(await complaintsOfLater(place))];
      complaints.push(...found.map((words) => `write ${nth} (${struck}): ${words}`));
    }
    expect(complaints).toEqual([]);
    expect(afterMoney).toBeGreaterThan(10);
  },
  240_000,
);

it.each(DISK_FAULTS.map((fault) => [fault.name, fault] as const))(
  'settling says of the money what the book says, wherever it meets %s',
  async (_, fault) => {
    const complaints: string[] = [];
    let hits = 0;
    for (let nth = 1; nth <= 30; nth += 1) {
      const place = aPlace();
      const { executed } = await without(place, [...RUN, ...AT_ONCE, '--new-ledger']);
      expect(executed).toBe(ROWS);
      disk.arm(fault, nth);
      const said = await called(place, SETTLE);
      const struck = disk.struck();
      if (struck !== undefined) hits += 1;
      const later = await without(place, ['status', 'a']);
      const found = [...falseWords(said), ...falseWords(later)];
      complaints.push(...found.map((words) => `write ${nth} (${struck}): ${words}`));
    }
    expect(complaints).toEqual([]);
    expect(hits).toBeGreaterThan(15);
  },
  240_000,
);
