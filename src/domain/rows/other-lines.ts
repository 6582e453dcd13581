/**
 * Lines of a table that have no account and no institution: headings, totals, remarks, signatures, a second table.
 *
 * Nothing is paid by such a line. A line with money in it is only left out if that money is explained: it is a sum of
 * rows that are paid, or a second table names its columns. Any other one may be a payment that lacks its account.
 */
import { parseCurrency } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import { isDateLike } from '../text/likeness.ts';
import {
  type FileColumns,
  fieldMaybeMeant,
  fieldOfHeader,
  isSameHeader,
  REQUIRED_FIELDS,
} from './column-names.ts';
import type { Directory } from './directory.ts';
import type { IssueText } from './issue-writer.ts';
import type { Field, RowCells, WrittenRow } from './row.ts';
import type { TotalLabel } from './total-rows.ts';

/** A line without an account and an institution; its amount is read by the caller. */
export interface OtherLine {
  /** undefined: no total, whatever its amount is. `headed`: a total only below a heading of that name. */
  readonly label: TotalLabel | 'headed' | undefined;
  /** Of a total, what it is the total of; of a line without an amount, what it says. Folded. */
  readonly heading: string;
  /** It names the columns of a second table. */
  readonly isHeader: boolean;
  /** Its cell for the amount holds one, or may hold one. */
  readonly hasAmount: boolean;
  /** No name, no telephone and no reference stands in it. */
  readonly namesNobody: boolean;
  /** If it pays nobody, and cannot be left out. */
  readonly issue: IssueText;
  /** The fields that a payment needs and that are filled: with two, each empty one is an issue of its own. */
  readonly filled: readonly Field[];
}

/** undefined for every row that has an account or an institution, and so may pay somebody. */
export function otherLine(cells: RowCells, row: WrittenRow, file: FileColumns): OtherLine | undefined {
  const { texts } = cells;
  // Nearly every row has these two, and is done here.
  if (texts.account !== '' && texts.institution !== '') return undefined;
  if (cells.fields.some((field) => cells.isMarked(field, 'formula_without_value'))) return undefined;
  const hasAmount = /\d/.test(texts.amount) && !isDateLike(texts.amount);
  const label = hasAmount ? labelOf(cells, row) : undefined;
  const isBareLine = isBare(texts.account) && (isBareInstitution(cells, row) || isPlaceToSign(cells, row));
  const isHeader =
    texts.account === '' && isOtherHeader(texts.amount, row) && (isBareLine || namesColumn(texts.amount));
  if (label === undefined && !isHeader && !isBareLine) return undefined;
  const filled = REQUIRED_FIELDS.filter((field) => texts[field] !== '');
  const text = row.cells.find((cell) => cell.trim() !== '') ?? '';
  return {
    label,
    heading: label === undefined ? foldText(text) : headingOf(row),
    isHeader,
    hasAmount,
    namesNobody: texts.name === '' && texts.phone === '' && texts.reference === '',
    issue: withoutPayment(filled, row, file, label !== undefined),
    filled,
  };
}

/** Where nobody is named, an amount may be the sum of the rows above it. */
function labelOf({ texts }: RowCells, row: WrittenRow): OtherLine['label'] {
  const { country, institution, account, name, phone, reference } = texts;
  const isLabel = account === '' ? isTotalText : isTotalWord;
  const mayBeLabel = (text: string) => text === '' || isLabel(text);
  // Beside a total, a sheet counts its rows.
  const mayBeCount = (text: string) =>
    mayBeLabel(text) || (account === '' && (COUNT.test(text) || isCurrencyCode(text)));
  if (![account, name, phone].every(mayBeLabel) || ![country, institution].every(mayBeCount))
    return undefined;
  if (!row.cells.some(isLabel))
    return [institution, account, country, name, phone, reference].join('') === '' ? 'possible' : undefined;
  if (name !== '' && !isTotalWord(name)) return isOfPeriod(name) ? 'possible' : 'headed';
  if ((institution !== '' && !COUNT.test(institution)) || !row.cells.some(isCertainTotal)) return 'possible';
  return name === '' ? 'certain' : 'likely';
}

const COUNT = /^\d{1,6}$/;

/** `Total for November`, `Total de la page`: no company is called so. */
function isOfPeriod(name: string): boolean {
  const of = totalIn(name)?.of ?? '';
  return CONNECTED.test(of) || PERIOD.test(foldText(of));
}

const CONNECTED = /^(?:for|of|de|du|des|do|da|pour|para)\b/i;
const PERIOD =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)?(?:20\d\d)?$/;

/** A name in the cell for the account or the institution is none where it is a place to sign. */
function isBare(text: string): boolean {
  return text === '' || SIGNATURE.test(text);
}

/** No amount and no account, and in front or in a cell of the payment it says who signs. */
function isPlaceToSign({ texts }: RowCells, { cells }: WrittenRow): boolean {
  if (/\d/.test(texts.account) || (/\d/.test(texts.amount) && !isDateLike(texts.amount))) return false;
  const first = cells.find((cell) => cell.trim() !== '') ?? '';
  const { country, institution, account, name, amount } = texts;
  return [first.trim(), country, institution, account, name, amount].some((text) => SIGNATURE.test(text));
}

/** Of a row that is the header once more, or a place to sign with a name in the cell for the account: one issue. */
export function whyNoPayment(cells: RowCells, row: WrittenRow, file: FileColumns): IssueText | undefined {
  const { country, institution, account } = cells.texts;
  if (isHeaderAgain(cells, file))
    return {
      kind: 'header_repeated',
      field: 'country',
      seen: country,
      expected: 'a payment; the row is the header once more',
      suggestion: 'Take the row out of the sheet.',
    };
  const isLine = account === '' || (institution === '' && isBare(account));
  if (isLine || !isPlaceToSign(cells, row)) return undefined;
  return {
    kind: 'row_without_payment',
    field: 'amount',
    seen: row.cells.find((cell) => cell.trim() !== '')?.trim() ?? '',
    expected: 'a payment; the row has no amount and is a place to sign',
    suggestion: 'Take it out of the sheet, or leave it out when you plan.',
  };
}

/** A person and a country. */
export function namesSomebody({ texts: { country, name } }: RowCells, directory: Directory): boolean {
  return /\p{L}/u.test(name) && country !== '' && directory.findCountry(country).kind === 'found';
}

/** An institution alone heads the rows below it. */
function isBareInstitution({ texts }: RowCells, { cells }: WrittenRow): boolean {
  return (
    isBare(texts.institution) ||
    // A second table counts people under another heading.
    (texts.country === '' && COUNT.test(texts.institution)) ||
    cells.every((cell) => cell.trim() === '' || cell.trim() === texts.institution)
  );
}

const SIGNATURE =
  /_{3,}|\.{5,}|\u2026{2,}|^(?:prepared|checked|approved|authori[sz]ed|verified|reviewed|certified|confirmed|received|signed)(?:\s+by\b|\s*:)|^(?:signature|signed|assinatura|visa|cachet|stamp|date|data)\s*:|^(?:pr[ée]par[ée]|[ée]tabli|v[ée]rifi[ée]|approuv[ée]|contr[ôo]l[ée]|valid[ée]|autoris[ée])\s+par\b|^(?:elaborado|preparado|verificado|aprovado|autorizado|conferido)\s+por\b/i;

function isOtherHeader(amount: string, { cells }: WrittenRow): boolean {
  if (amount === '' || /\d/.test(amount) || SIGNATURE.test(amount)) return false;
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 1 && filled.some(namesColumn) && !filled.some((cell) => SIGNATURE.test(cell.trim()));
}

function namesColumn(cell: string): boolean {
  const text = cell.trim();
  return (
    fieldOfHeader(text) !== undefined ||
    fieldMaybeMeant(text) !== undefined ||
    isTotalWord(text) ||
    isCurrencyCode(text)
  );
}

const isCurrencyCode = (text: string): boolean =>
  /^[A-Z]{3}$/.test(text) && parseCurrency(text) !== undefined;

/** One issue for the whole row, and not one for each of its empty cells. */
function withoutPayment(
  filled: readonly Field[],
  row: WrittenRow,
  { columns }: FileColumns,
  mayBeTotal: boolean,
): IssueText {
  const field = mayBeTotal ? 'amount' : filled[0];
  const at =
    field === undefined ? row.cells.findIndex((cell) => cell.trim() !== '') : (columns.get(field) ?? -1);
  const empty = REQUIRED_FIELDS.filter((each) => each !== field);
  return {
    kind: 'row_without_payment',
    field: field ?? 'country',
    at: at === -1 ? undefined : at,
    seen: row.cells[at]?.trim() ?? '',
    expected: `a payment; ${empty.slice(0, -1).join(', ')} and ${empty.at(-1)} are all empty`,
    suggestion:
      'Fill the row in, take it out of the sheet, or leave it out when you plan.' +
      (mayBeTotal ? ' If it is a total, correct the rows above it first: it has to be their sum.' : ''),
  };
}

/** The header of the table once more, as each printed page has it. */
function isHeaderAgain({ texts }: RowCells, { columns, headers }: FileColumns): boolean {
  const header = (field: 'country' | 'account') => headers[columns.get(field) ?? -1] ?? '';
  // Equal first letters are cheap to see, and hardly any payment has them.
  if (texts.country === '' || texts.country[0] !== header('country')[0]) return false;
  return isSameHeader(texts.country, header('country')) && isSameHeader(texts.account, header('account'));
}

const TOTAL_WORD =
  /^(?:grand|sub|sous|overall|net|page|batch|file|payroll)?(?:total|totals|totaux|totais)(?:general|geral|amount|payable|payroll|net|due|gross|topay|apagar|apayer)?$|^(?:sum|somme|soma)$/;

const SUM = /^(?:sum|somme|soma)$/;
const BARE_TOTAL = /^(?:total|totals|totaux|totais|sum|somme|soma)$/;

function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text !== '' && text.length <= LONGEST_LABEL && TOTAL_WORD.test(foldText(text));
}

/** `Total`, and with what it is the total of: `Sub-total Sales`, `Ghana total`. */
function isTotalText(cell: string): boolean {
  return isTotalWord(cell) || totalIn(cell) !== undefined;
}

/** No name: `Total`, `Sub-total Sales`; not `Total Energies`, and not `Soma`, which is one. */
function isCertainTotal(cell: string): boolean {
  if (isTotalWord(cell)) return !SUM.test(foldText(cell.trim()));
  const found = totalIn(cell)?.word;
  return found !== undefined && !BARE_TOTAL.test(foldText(found));
}

/** The words of a longer label that say total, and the others. */
function totalIn(cell: string): { readonly word: string; readonly of: string } | undefined {
  if (cell.length > LONGEST_LABEL || !HAS_TOTAL.test(cell)) return undefined;
  const words = cell.trim().split(/\s+/);
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count -= 1) {
    const parts = [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ].map((pair) => pair.map((some) => some.join(' ')));
    for (const [word = '', of = ''] of parts) if (isTotalWord(word)) return { word, of };
  }
  return undefined;
}

/** `Total for Rift Valley Ltd` → `riftvalleyltd` */
function headingOf({ cells }: WrittenRow): string {
  const of = cells.flatMap((cell) => totalIn(cell)?.of ?? [])[0] ?? '';
  return foldText(of.replace(CONNECTED, ''));
}

const LONGEST_LABEL = 140;
const MOST_WORDS = 3;
const HAS_TOTAL = /tota[li]|totaux|sum|som[ma]/i;
