/**
 * A written row → an instruction, or everything that is wrong with it.
 */
import {
  accountFault,
  accountNotes,
  paddedAccount,
  type WrittenAccount,
  writtenFault,
} from '../accounts/account-faults.ts';
import { isPhoneNumber } from '../accounts/phone-number.ts';
import { readAccount, readName, readReference } from '../accounts/read-account.ts';
import type { AmountStyle } from '../money/amount-style.ts';
import type { Money } from '../money/money.ts';
import { asPayoutId, type Instruction } from '../payouts/instruction.ts';
import type { HoldReason } from '../payouts/payout.ts';
import { repeatKeys } from '../payouts/repeat.ts';
import { foldText } from '../text/fold.ts';
import { isDateLike } from '../text/likeness.ts';
import { Sensitive } from '../text/sensitive.ts';
import { type FileColumns, nameColumnsOf } from './column-names.ts';
import type { Country, CountryId, Directory, Institution, InstitutionId } from './directory.ts';
import { createIssueWriter, type IssueText } from './issue-writer.ts';
import type { ReadLine } from './lines-left-out.ts';
import { otherCurrencyIssues } from './other-currency.ts';
import { namesSomebody, type OtherLine, otherLine, whyNoPayment } from './other-lines.ts';
import { createCellReader, type Field, type RowCells, type RowIssue, type WrittenRow } from './row.ts';
import { invalidRowKey, type RowKeys, rowKey } from './row-key.ts';
import { unseenHolds } from './unseen-holds.ts';
import {
  type AmountValidator,
  amountIsNumber,
  createAmountValidator,
  type WrittenAmount,
} from './validate-amount.ts';
import {
  cellFault,
  checkCurrency,
  checkReplaces,
  type Looked,
  lookUpCountry,
  lookUpInstitution,
  lookUpSource,
  missing,
  textFault,
} from './validate-cells.ts';

interface ValidatorOptions extends FileColumns {
  readonly directory: Directory;
  /** Originating country of rows that name none (see findSource). */
  readonly source: Country | undefined;
  /** `declared` with --decimal, else `proving`; after a verdict `again`, the style that it named. */
  readonly amountStyle: AmountStyle;
  /** Of the ledger that the rows go into; their keys are salted with it. */
  readonly salt: string;
  /** Columns that a person took out: what they say of a currency does not count. */
  readonly ignored?: ReadonlySet<number> | undefined;
}

export type Validated =
  | {
      readonly kind: 'valid';
      readonly instruction: Instruction;
      readonly keys: RowKeys;
      /** Reasons to hold the row from the start: a hidden row. Usually empty. */
      readonly holds: readonly HoldReason[];
      /** Warnings for people, e.g. that the account was stored as a number. Usually empty. */
      readonly notes: readonly string[];
    }
  | InvalidRow
  /** It has no account and no institution; the caller decides whether it is left out. `orElse`: what it is if it is not. */
  | (ReadLine & { readonly kind: 'line'; readonly orElse: InvalidRow })
  /** Add the institutions of this country to the directory and validate the row again. */
  | { readonly kind: 'needs_institutions'; readonly countryId: CountryId };

export interface InvalidRow {
  readonly kind: 'invalid';
  readonly issues: readonly RowIssue[];
  readonly keys: Pick<RowKeys, 'rowKey'>;
  /** Zeros that the account seems to have lost: a name could prove it. The one other issue-free field needed. */
  readonly guess?: AccountGuess | undefined;
}

export interface AccountGuess {
  readonly institutionId: InstitutionId;
  readonly padded: Sensitive;
  /** As the file names the holder. */
  readonly name: string;
}

/** What was found so far; a field stays undefined when it has an issue, and a phone when it is none. */
interface Draft {
  source: Country | undefined;
  country: Country | undefined;
  institution: Institution | undefined;
  amount: Money | undefined;
  account: WrittenAccount | undefined;
  phone: string | undefined;
}

const NONE: readonly never[] = [];

export type RowValidator = ReturnType<typeof createRowValidator>;

export function createRowValidator(options: ValidatorOptions) {
  const cellsOf = createCellReader(options.columns, nameColumnsOf(options));
  const amounts = createAmountValidator(options.amountStyle);
  const write = createIssueWriter(options);
  const otherCurrency = otherCurrencyIssues(options, options.ignored);
  const invalid = (issues: readonly IssueText[], row: WrittenRow, guess?: AccountGuess): InvalidRow => ({
    kind: 'invalid',
    issues: issues.map(write),
    keys: { rowKey: invalidRowKey(row.cells, options.columns, options.salt, issues) },
    guess,
  });
  const lineOf = (line: OtherLine, cells: RowCells, row: WrittenRow): Validated => {
    const checked = line.hasAmount
      ? amounts.check({ ...writtenAmount(cells, undefined), shown: undefined })
      : undefined;
    if (checked?.kind === 'issue' && (line.label === 'certain' || line.label === 'likely'))
      return invalid([checked.issue], row);
    const isZero = checked?.kind === 'issue' && checked.issue.kind === 'amount_zero';
    const hasAmount = line.hasAmount && !isZero;
    const issues: IssueText[] = [];
    // An amount that is asked for twice would be counted as proof twice.
    if (line.filled.length > 1) check(options, cells, checked ? { check: () => checked } : amounts, issues);
    else issues.push(line.issue);
    return {
      ...{
        kind: 'line',
        rowNumber: row.rowNumber,
        line: { ...line, hasAmount },
        orElse: invalid(issues, row),
      },
      plain: checked?.kind === 'money' ? checked.plain : undefined,
      isUnfinished: !hasAmount && namesSomebody(cells, options.directory),
      texts: textsIn(cells),
    };
  };
  return {
    /** After the last row: whether all amounts were read rightly. */
    amountVerdict: amounts.verdict,
    /** How the amounts were read; after a verdict that stands. */
    styleRead: amounts.styleRead,
    /** Name and amount as they stand in the row. */
    texts: (row: WrittenRow) => textsIn(cellsOf(row)),
    validate(row: WrittenRow): Validated {
      const cells = cellsOf(row);
      const issues: IssueText[] = [];
      const noPayment = whyNoPayment(cells, row, options);
      if (noPayment !== undefined) return invalid([noPayment], row);
      const other = otherLine(cells, row, options);
      if (other !== undefined) return lineOf(other, cells, row);
      const needed = neededList(options.directory, cells);
      if (needed !== undefined) return { kind: 'needs_institutions', countryId: needed };
      const draft = check(options, cells, amounts, issues);
      const number = draft.amount && amountIsNumber(cells.texts, draft.account?.text);
      if (number) issues.push(number);
      issues.push(...otherCurrency(row.cells, draft.institution?.currency, issues));
      if (issues.length > 0) return invalid(issues, row, guessOf(draft, cells, issues));
      return finished(draft, cells, options);
    },
  };
}

const textsIn = ({ texts: { name, amount } }: RowCells): ReadLine['texts'] => ({ name, amount });

function guessOf(
  { account, institution }: Draft,
  cells: RowCells,
  issues: readonly IssueText[],
): AccountGuess | undefined {
  const { name } = cells.texts;
  if (!account || !institution || name === '') return undefined;
  if (!issues.some(({ kind }) => kind === 'account_zero_lost')) return undefined;
  const padded = paddedAccount(account);
  return padded === undefined
    ? undefined
    : { institutionId: institution.id, padded: new Sensitive(padded), name };
}

// Asked before anything is read, so that no amount is counted as proof twice.
function neededList(directory: Directory, cells: RowCells): CountryId | undefined {
  const written = cells.texts.country;
  if (written === '' || cells.texts.institution === '') return undefined;
  const found = directory.findCountry(written);
  return found.kind === 'found' && !directory.hasInstitutionsOf(found.item.id) ? found.item.id : undefined;
}

function check(
  { directory, source }: ValidatorOptions,
  cells: RowCells,
  amounts: Pick<AmountValidator, 'check'>,
  issues: IssueText[],
): Draft {
  const damaged = damagedCells(cells, issues);
  const isUsable = (field: Field) => damaged === undefined || !damaged.has(field);
  const take = <Item>(looked: Looked<Item> | undefined): Item | undefined => {
    if (looked?.kind === 'issue') issues.push(looked.issue);
    return looked?.kind === 'found' ? looked.item : undefined;
  };
  const country = isUsable('country')
    ? take(lookUpCountry(directory, 'country', cells.texts.country))
    : undefined;
  const institution = isUsable('institution') ? institutionOf(directory, country, cells, take) : undefined;
  const account = isUsable('account') ? accountOf(cells, country, institution, issues) : undefined;
  const others = [
    isUsable('currency') ? checkCurrency(cells.texts.currency, institution) : undefined,
    isUsable('replaces') ? checkReplaces(cells.texts.replaces) : undefined,
  ];
  for (const issue of others) if (issue) issues.push(issue);
  const phone = isUsable('phone') && isPhoneNumber(cells.texts.phone, country?.iso ?? '');
  const amount = isUsable('amount') ? amountOf(cells, institution, amounts, issues) : undefined;
  const from = isUsable('source') ? take(lookUpSource(directory, cells.texts.source, source)) : undefined;
  return {
    source: from,
    country,
    institution,
    amount,
    account,
    phone: phone ? cells.texts.phone : undefined,
  };
}

/** Left out where they cannot be used: no payment waits for them. */
const NOT_NEEDED: ReadonlySet<Field> = new Set<Field>(['phone']);

/** Cells that hold no usable text at all: error values, formulas without a result, invisible characters. */
function damagedCells(cells: RowCells, issues: IssueText[]): ReadonlySet<Field> | undefined {
  let damaged: Set<Field> | undefined;
  for (const field of cells.fields) {
    const fault = cells.hasMarks ? cellFault(cells, field) : undefined;
    const issue =
      field === 'name' ? nameFault(cells, fault) : (fault ?? textFault(field, cells.texts[field]));
    if (issue === undefined) continue;
    if (!NOT_NEEDED.has(field)) issues.push(issue);
    damaged ??= new Set();
    damaged.add(field);
  }
  return damaged;
}

/** A name in several columns is at fault where one of its parts is, or as a whole in its first column. */
function nameFault(cells: RowCells, fault: IssueText | undefined): IssueText | undefined {
  const { name } = cells.texts;
  const parts = cells.nameParts;
  const [first] = parts;
  if (first === undefined) return fault ?? textFault('name', name);
  if (fault !== undefined) return { ...fault, at: (parts.find(({ isOdd }) => isOdd) ?? first).column };
  for (const { column, text } of parts) {
    const issue = textFault('name', text);
    if (issue !== undefined) return { ...issue, at: column };
  }
  const whole = textFault('name', name);
  return whole === undefined ? undefined : { ...whole, at: first.column };
}

function institutionOf(
  directory: Directory,
  country: Country | undefined,
  cells: RowCells,
  take: (looked: Looked<Institution> | undefined) => Institution | undefined,
): Institution | undefined {
  const text = cells.texts.institution;
  if (country) return take(lookUpInstitution(directory, country, text));
  if (text !== '') return undefined;
  return take(missing('institution', 'an institution of the destination country, by name or id'));
}

function accountOf(
  cells: RowCells,
  country: Country | undefined,
  institution: Institution | undefined,
  issues: IssueText[],
): WrittenAccount | undefined {
  const written = cells.texts.account;
  const place = { iso: country?.iso, institution: institution && foldedName(institution) };
  const text = readAccount(written, place);
  if (text === '') {
    const none = missing('account', "the beneficiary's account number, wallet number or user name");
    if (none.kind === 'issue') issues.push(none.issue);
    return undefined;
  }
  const account: WrittenAccount = { text, isNumber: cells.isMarked('account', 'number'), ...place };
  const beside = writtenFault(written);
  const fault = beside ?? accountFault(account);
  if (fault) issues.push({ ...fault, field: 'account', seen: beside === undefined ? text : written });
  return account;
}

const foldedNames = new WeakMap<Institution, string>();

function foldedName(institution: Institution): string {
  let folded = foldedNames.get(institution);
  if (folded === undefined) {
    folded = foldText(institution.name);
    foldedNames.set(institution, folded);
  }
  return folded;
}

function amountOf(
  cells: RowCells,
  institution: Institution | undefined,
  amounts: Pick<AmountValidator, 'check'>,
  issues: IssueText[],
): Money | undefined {
  const checked = amounts.check(writtenAmount(cells, institution));
  if (checked.kind === 'money') return checked.money;
  issues.push(checked.issue);
  return undefined;
}

function writtenAmount(cells: RowCells, institution: Institution | undefined): WrittenAmount {
  const { rowNumber } = cells;
  const text = cells.texts.amount;
  const currency = institution?.currency;
  if (!cells.hasMarks) return { rowNumber, text, isNumber: false, currency };
  const isScaled = cells.isMarked('amount', 'shown_scaled');
  return {
    rowNumber,
    text,
    isNumber: cells.isMarked('amount', 'number'),
    shown: isScaled ? 'scaled' : cells.isMarked('amount', 'shown_rounded') ? 'rounded' : undefined,
    words: cells.wordsAround('amount'),
    currency,
  };
}

function finished(
  { source, country, institution, amount, account, phone }: Draft,
  cells: RowCells,
  { headers, salt }: ValidatorOptions,
): Validated {
  if (!source || !country || !institution || !amount || !account) {
    throw new TypeError('A row without issues must have everything that an instruction needs');
  }
  const optional = (field: Field) => cells.texts[field] || undefined;
  const [replaces, name, reference] = [optional('replaces'), optional('name'), optional('reference')];
  const instruction: Instruction = {
    sourceId: source.id,
    sourceName: source.name,
    destinationId: country.id,
    destinationIso: country.iso,
    destinationName: country.name,
    institutionId: institution.id,
    institutionName: institution.name,
    account: new Sensitive(account.text),
    amount,
    reference: reference === undefined ? undefined : readReference(reference),
    name: name === undefined ? undefined : readName(name),
    phone,
    note: optional('note')?.normalize('NFC'),
    replaces: replaces === undefined ? undefined : asPayoutId(replaces),
  };
  const { referenceKey, paymentKey } = repeatKeys(instruction, salt);
  const keys = { referenceKey, paymentKey, rowKey: rowKey(instruction, cells.texts, salt) };
  return {
    kind: 'valid',
    instruction,
    keys,
    holds: unseenHolds(cells, headers, instruction),
    notes: rowNotes(cells, account, phone),
  };
}

/**
 * Warnings on a row that can be paid, for the person who checks the plan: what the sheet may have done to it.
 */

const NOTED: readonly Field[] = ['account', 'amount', 'phone', 'reference'];

/** What a note speaks about: each of ours begins with it. */
export function fieldOfNote(note: string): Field | undefined {
  return NOTED.find((field) => note.startsWith(`the ${field} `));
}

function rowNotes(cells: RowCells, account: WrittenAccount, phone: string | undefined): readonly string[] {
  const ofAccount = accountNotes(account);
  const { reference } = cells.texts;
  const looksLikeDate = reference !== '' && isDateLike(reference);
  if (!cells.hasMarks && !looksLikeDate) return ofAccount;
  const notes = [...ofAccount];
  if (cells.isMarked('account', 'formula')) notes.push('the account comes from a formula');
  if (cells.isMarked('amount', 'formula')) notes.push('the amount comes from a formula');
  if (phone !== undefined && cells.isMarked('phone', 'number'))
    notes.push('the phone is stored as a number; a leading zero or + may be lost');
  if (looksLikeDate || cells.isMarked('reference', 'date'))
    notes.push(`the reference ${reference} is a date, into which spreadsheets turn texts such as 5-12`);
  return notes.length === 0 ? NONE : notes;
}
