/** Reads a file as the program does, against the sandbox's lists, and says everything that came of it. */
import { join } from 'node:path';
import { wordingIn } from '../../src/cli/show/blocks.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { answerFlags } from '../../src/domain/next-steps/answer-flags.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import type { Field, RowIssue } from '../../src/domain/rows/row.ts';
import { saidBy, wordedIn } from '../../src/domain/text/message.ts';
import { openRows } from '../../src/files/payout-file.ts';
import type { Asked, PaymentService } from '../../src/ports/payment-service.ts';
import { FileHasQuestions, FileRefused, type OpenRowsOptions } from '../../src/ports/row-source.ts';
import { FIXED_ACCOUNTS } from '../../src/sandbox/accounts.ts';
import { COUNTRIES, institutionById } from '../../src/sandbox/directory.ts';
import { notesOf, type ReadOptions, type ReadRow } from '../../src/use-cases/intake/read-pass.ts';
import { readRows } from '../../src/use-cases/intake/read-rows.ts';
import { said } from '../builders/said.ts';
import { CORPUS, type Expectation } from './expectation.ts';

export interface Seen {
  /** `pays 2 | GH | …`, `bad 3 account account_zero_lost`, with the whole message behind it. */
  readonly what: string;
  readonly message: string;
}

export interface WholeReading {
  readonly seen: readonly Seen[];
  readonly fileNotes: readonly string[];
  readonly rows: readonly ReadRow[];
}

const answered = <Answer>(answer: Answer): Asked<Answer> => ({ kind: 'answered', answer });
const nobodyAsks = () => {
  throw new Error('Reading a file asks for lists and names only');
};

/** The sandbox's countries, institutions and account holders, without a network. */
export const SANDBOX_LISTS: PaymentService = {
  countries: async () =>
    answered(
      COUNTRIES.map(({ id, name, iso, callingCode }) => ({ id: asCountryId(id), name, iso, callingCode })),
    ),
  institutions: async (countryId) =>
    answered(
      (COUNTRIES.find((country) => country.id === countryId)?.institutions ?? []).flatMap(
        ({ id, name, currency: code, charges }) => {
          const currency = parseCurrency(code);
          return currency === undefined ? [] : [{ id: asInstitutionId(id), name, currency, charges }];
        },
      ),
    ),
  accountName: async ({ institutionId, account }) => {
    const institution = institutionById(institutionId);
    const name = FIXED_ACCOUNTS.find(
      (each) =>
        each.iso === institution?.country.iso &&
        each.institution === institution.name &&
        each.account === account.reveal(),
    )?.name;
    return name === undefined ? { kind: 'declined', code: '44', message: 'no such account' } : answered(name);
  },
  estimate: nobodyAsks,
  rate: nobodyAsks,
  transaction: nobodyAsks,
  profile: nobodyAsks,
  prepareSend: nobodyAsks,
  send: nobodyAsks,
  close: async () => undefined,
};

export function optionsOf(path: string, open: ReadonlyMap<string, string>): ReadOptions {
  const headerRow = open.get('header-row');
  const map = open.get('map')?.split('=');
  const decimal = open.get('decimal');
  const options: OpenRowsOptions = {
    path,
    encoding: open.get('encoding'),
    delimiter: open.get('delimiter'),
    sheet: open.get('sheet'),
    headerRow: headerRow === undefined ? undefined : Number.parseInt(headerRow, 10),
    asked: said(
      ...(map === undefined
        ? []
        : [{ kind: 'map', field: map[0] as Field, headers: [map[1] ?? ''] } as const]),
      ...(decimal === 'comma' || decimal === 'point' ? [{ kind: 'decimal', mark: decimal } as const] : []),
    ),
  };
  return {
    open: options,
    source: 'GB',
    provesAccounts: true,
  };
}

export async function readWhole(path: string, open: ReadonlyMap<string, string>): Promise<WholeReading> {
  let rows: ReadRow[] = [];
  const late: string[] = [];
  const sink = {
    salt: '',
    begin: async () => undefined,
    take: async (some: readonly ReadRow[]) => void rows.push(...some),
    restart: async () => {
      rows = [];
    },
    note: (text: string) => void late.push(text),
  };
  try {
    const world = { paymentService: SANDBOX_LISTS, tell: () => undefined };
    const { file } = await readRows(openRows, optionsOf(path, open), sink, world);
    const blank = file.blankRows();
    const counted = blank === 0 ? [] : [{ what: `blank ${blank}`, message: '' }];
    return { seen: [...rows.flatMap(seenOf), ...counted], fileNotes: [...file.notes, ...late], rows };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return {
      seen: [
        { what: 'refused', message: [wordedIn(saidBy(error), ON_TERMINAL), ...flagsOf(error)].join(' ') },
      ],
      fileNotes: [],
      rows: [],
    };
  }
}

/** The choices of questions, as the command line shows them. */
function flagsOf(error: FileRefused): readonly string[] {
  if (!(error instanceof FileHasQuestions)) return [];
  const choices = error.questions.flatMap((question) => question.choices);
  return choices.flatMap(({ label, answers }) => [
    wordedIn(label, ON_TERMINAL),
    ...answerFlags(answers).map((flag) => flag.join(' ')),
  ]);
}

/** As the command line shows it. */
const ON_TERMINAL = wordingIn({});

const readings = new Map<string, Promise<WholeReading>>();
/** Each file of the corpus is read once. */
export function readFromCorpus({ file, open }: Expectation): Promise<WholeReading> {
  const reading = readings.get(file) ?? readWhole(join(CORPUS, file), open);
  readings.set(file, reading);
  return reading;
}

/** As printed: saw …; expected …. What to do. */
export function messageOf({ seen, expected, suggestion }: RowIssue): string {
  return `saw “${seen}”; expected ${expected}. ${suggestion ?? ''}`;
}

function seenOf(read: ReadRow): Seen[] {
  const { rowNumber } = read.row;
  if (read.kind === 'invalid') {
    return read.issues.map((issue) => ({
      what: `bad ${rowNumber} ${issue.field} ${issue.kind}`,
      message: messageOf(issue),
    }));
  }
  const { destinationIso, account, amount, name } = read.instruction;
  const money = `${formatDecimal(amount)} ${amount.currency}`;
  const cells = [destinationIso, account.reveal(), money, name?.normalize('NFC') ?? ''];
  return [
    { what: `pays ${rowNumber} | ${cells.join(' | ')}`.trim(), message: '' },
    ...read.holds.map(({ concern, text }) => ({ what: `held ${rowNumber} ${concern.kind}`, message: text })),
    ...notesOf(read).map((note) => ({ what: `row-note ${rowNumber}`, message: note })),
  ];
}
