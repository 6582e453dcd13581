/** One file as somebody brings it to the command, each time to a sandbox that nobody used before. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { holderOf } from '../../src/sandbox/accounts.ts';
import { type BookEntry, readBook } from '../../src/sandbox/book.ts';
import { institutionById } from '../../src/sandbox/directory.ts';
import { type Office, openOffice } from '../builders/office.ts';
import type { FirstAnswer, Paid } from './expected.ts';

const INPUTS = new URL('./inputs/', import.meta.url);

/** A file of the cases by its name, or one with these lines or bytes. */
export type Brought =
  | string
  | { readonly name: string; readonly lines: readonly string[] }
  | { readonly name: string; readonly bytes: Uint8Array };

export interface Checked {
  readonly code: number | null;
  /** A file may be asked about, and have rows with issues. */
  readonly answers: readonly FirstAnswer[];
  /** Codes of the questions, also of those that stop some rows alone. */
  readonly questions: readonly string[];
  /** The flags of each choice, where it has some. */
  readonly offered: readonly string[];
  readonly wrongRows: readonly number[];
  readonly notes: readonly string[];
  /** All that the person sees. */
  readonly text: string;
}

export interface Settled {
  readonly paid: readonly Paid[];
  readonly held: readonly number[];
  /** Whom the account of each row belongs to. */
  readonly holders: ReadonlyMap<number, string | undefined>;
}

export async function checked(brought: Brought, flags: readonly string[] = []): Promise<Checked> {
  return inOffice(brought, async (office, file) => {
    const words = ['check', file, '--sandbox', ...flags];
    const shown = await office.payfile(...words);
    const { code, stdout, stderr } = await office.payfile(...words, '--json');
    const json = JSON.parse(stdout);
    const issues: readonly { row: number }[] = json.issues ?? [];
    const isAsked = json.error !== undefined || (json.questions ?? []).length > 0;
    const answers: readonly FirstAnswer[] = [
      ...(isAsked ? (['ask'] as const) : []),
      ...(issues.length > 0 ? (['rows'] as const) : []),
      ...(code === 0 ? ([json.file.held > 0 ? 'held' : 'accept'] as const) : []),
    ];
    const wrongRows = [...new Set(issues.map(({ row }) => row))];
    const text = shown.stdout + shown.stderr + JSON.stringify(json) + stderr;
    const questions = (json.questions ?? []).map(({ code: asked }: { code: string }) => asked);
    const choices: readonly { flags: readonly string[] }[] = (json.questions ?? []).flatMap(
      (question: { choices: unknown }) => question.choices,
    );
    const offered = choices.map(({ flags: each }) => each.join(' ')).filter((each) => each !== '');
    return { code, answers, questions, offered, wrongRows, notes: json.notes ?? [], text };
  });
}

/**
 * What really left, by the book of the sandbox; the row of each transfer, by the report. `isReleased`: a person lets go
 * what is held for its name, because the names of the sandbox are invented.
 */
export async function settled(
  brought: Brought,
  flags: readonly string[] = [],
  isReleased = false,
): Promise<Settled> {
  return inOffice(brought, async (office, file) => {
    const run = () => office.payfile('run', file, '--sandbox', '--yes', '--batch', 'a-batch', ...flags);
    await run();
    if (isReleased) {
      await office.payfile('release', 'a-batch', '--all', '--reason', 'Names are invented', '--sandbox');
      await run();
    }
    const path = office.at('state/payfile/sandbox-ledger-book.jsonl');
    const { seed = '', entries } = readBook(path);
    const left = entries().filter(({ transitions }) => transitions.at(-1)?.status === 'Finished');
    await office.payfile('report', 'a-batch', '--sandbox', '-o', 'rows.json');
    const rows = reportedRows(office);
    const byTransfer = new Map(rows.map((row) => [row.transfer_id, row.row]));
    const rowOf = ({ id }: BookEntry) => byTransfer.get(id) ?? Number.NaN;
    return {
      paid: left
        .map((entry): Paid => [rowOf(entry), entry.account, plain(entry.amount), entry.currency])
        .sort(([one], [other]) => one - other),
      held: rows.filter(({ status }) => status === 'held').map(({ row }) => row),
      holders: new Map(left.map((entry) => [rowOf(entry), holderNameOf(entry, seed)])),
    };
  });
}

/** `48250.00` → `48250`: the same amount is written in many ways. */
export function plain(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

interface ReportedRow {
  readonly row: number;
  readonly status: string;
  readonly transfer_id: string | null;
}

function reportedRows(office: Office): readonly ReportedRow[] {
  try {
    return JSON.parse(readFileSync(office.at('rows.json'), 'utf8')).rows;
  } catch (error) {
    // Of a file that was refused there is no batch, and no report.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function holderNameOf(entry: BookEntry, seed: string): string | undefined {
  const institution = institutionById(entry.institution);
  if (institution === undefined) throw new TypeError(`The sandbox has no institution ${entry.institution}`);
  const found = holderOf({ institution, account: entry.account, seed, scenarioAccounts: true });
  return found.kind === 'found' ? found.name : undefined;
}

async function inOffice<Result>(
  brought: Brought,
  use: (office: Office, file: string) => Promise<Result>,
): Promise<Result> {
  const office = openOffice({ PAYFILE_SOURCE: 'GB' });
  try {
    const name = typeof brought === 'string' ? brought : brought.name;
    if (typeof brought === 'string')
      copyFileSync(fileURLToPath(new URL(brought, INPUTS)), office.at(brought));
    else if ('bytes' in brought) writeFileSync(office.at(name), brought.bytes);
    else office.file(name, `${brought.lines.join('\n')}\n`);
    return await use(office, name);
  } finally {
    office.close();
  }
}
