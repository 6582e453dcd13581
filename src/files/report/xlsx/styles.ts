/**
 * How the workbook looks. Each style is one object for all its cells: a million of them cost no more than one.
 *
 * Colours survive red-green blindness and grey print; a word and a symbol always say the same. Rules (conditional formats)
 * follow what a person changes, one for a whole range each, never one per cell.
 */
import { GROUP_WORDS, type StatusWord } from '../../../domain/reporting/status-words.ts';
import type { CellStyle, Rule } from './xlsx-workbook.ts';

const FONT = { name: 'Calibri', size: 11 } as const;
const TOP = { vertical: 'top' } as const;
/** A little room between a number and the words in the next column. */
const WORDS = { vertical: 'top', horizontal: 'left', indent: 1 } as const;
const GREY = 'FF6B7280';

const BOLD = { ...FONT, bold: true } as const;
const WRAPPED = { ...WORDS, wrapText: true } as const;
const HEADING_SIDE = { vertical: 'middle', wrapText: true } as const;
const HEADER = {
  font: BOLD,
  numFmt: '@',
  fill: solid('FFE5E7EB'),
  border: { bottom: { style: 'thin', color: { argb: 'FF9CA3AF' } } },
} as const;

export const LOOK = {
  plain: { font: FONT, alignment: WORDS },
  bold: { font: BOLD, alignment: TOP },
  /** In a line whose other cells are not bold. */
  boldPlain: { font: BOLD, alignment: WORDS },
  boldWords: { font: BOLD, alignment: WRAPPED },
  quiet: { font: { ...FONT, color: { argb: GREY } }, alignment: WORDS },
  words: { font: FONT, alignment: WRAPPED },
  /** `@` keeps leading zeros and long numbers as they are. */
  text: { font: FONT, numFmt: '@', alignment: WORDS },
  count: { font: FONT, numFmt: '#,##0', alignment: TOP },
  row: { font: FONT, numFmt: '0', alignment: TOP },
  rate: { font: FONT, numFmt: '0.000000', alignment: TOP },
  percent: { font: FONT, numFmt: '0.00%', alignment: TOP },
  time: { font: FONT, numFmt: 'yyyy-mm-dd hh:mm:ss', alignment: WORDS },
  day: { font: FONT, numFmt: 'yyyy-mm-dd', alignment: WORDS },
  header: { ...HEADER, alignment: { ...HEADING_SIDE, horizontal: 'left', indent: 1 } },
  numberHeader: { ...HEADER, alignment: { ...HEADING_SIDE, horizontal: 'right' } },
  heading: { font: { ...BOLD, size: 13 }, alignment: TOP },
  live: {
    font: { ...BOLD, color: { argb: 'FFFFFFFF' } },
    fill: solid('FF1F2937'),
    alignment: { horizontal: 'center' },
  },
  sandbox: { font: BOLD, fill: solid('FFFDE68A'), alignment: { horizontal: 'center' } },
  /** Of a cell that says whether something ties; its colour is a rule's, because the answer may change. */
  check: { font: BOLD, alignment: WORDS },
  /** For people to write in. */
  input: {
    ...HEADER,
    font: { ...FONT, color: { argb: 'FF1D4ED8' } },
    fill: solid('FFF3F4F6'),
    alignment: WORDS,
  },
} as const satisfies Record<string, CellStyle>;

export const TAB = { info: 'FF9CA3AF', data: 'FF34A853', look: 'FFF59E0B' } as const;

export const TONES: Readonly<Record<StatusWord['tone'], CellStyle>> = {
  good: { font: FONT, border: leftBar('FF15803D'), alignment: WORDS },
  moving: { font: FONT, border: leftBar('FF1D4ED8'), alignment: WORDS },
  bad: { font: BOLD, fill: solid('FFFECACA'), alignment: WORDS },
  returned: { font: FONT, fill: solid('FFFED7AA'), alignment: WORDS },
  doubt: { font: BOLD, fill: solid('FFFEF08A'), border: box(), alignment: WORDS },
  quiet: { font: { ...FONT, color: { argb: GREY } }, alignment: WORDS },
};

const amountStyles = new Map<string, CellStyle>();

/** For amounts of a currency with so many decimals; `coin` is written behind each. */
export function amountStyle(decimals: number, coin = ''): CellStyle {
  const key = `${decimals} ${coin}`;
  const known = amountStyles.get(key);
  if (known !== undefined) return known;
  const behind = coin === '' ? '' : ` "${coin}"`;
  const digits = `${decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`}`;
  const numFmt = `${digits}${behind};[Red](${digits})${behind};"–"`;
  const style = { font: FONT, numFmt, alignment: TOP };
  amountStyles.set(key, style);
  return style;
}

function solid(argb: string): NonNullable<CellStyle['fill']> {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}

function leftBar(argb: string): NonNullable<CellStyle['border']> {
  return { left: { style: 'thick', color: { argb } } };
}

function box(): NonNullable<CellStyle['border']> {
  const side = { style: 'medium' } as const;
  return { left: side, right: side, top: side, bottom: side };
}

/** Cells that say `ties` or `differs by …`; `first` is the first of them. */
export function checkRules(first: string): readonly Rule[] {
  const bold = (argb: string) => ({ bold: true, color: { argb } });
  return [
    {
      formula: `LEFT(${first},7)="differs"`,
      style: { font: bold('FF7F1D1D'), fill: ruleFill('FFFCA5A5') },
    },
    { formula: `${first}="ties"`, style: { font: bold('FF166534') } },
  ];
}

/** Whole rows by what they count as; `first` is the first cell of that column, such as `$G2`. */
export function groupRules(first: string): readonly Rule[] {
  return [
    { formula: `${first}="${GROUP_WORDS.in_doubt.word}"`, style: { fill: ruleFill('FFFEF9C3') } },
    { formula: `${first}="${GROUP_WORDS.failed.word}"`, style: { fill: ruleFill('FFFEE2E2') } },
    { formula: `${first}="${GROUP_WORDS.returned.word}"`, style: { fill: ruleFill('FFFFEDD5') } },
  ];
}

/** Cells to look at, where the formula is true. */
export function amberRule(formula: string): readonly Rule[] {
  return [{ formula, style: { fill: ruleFill('FFFDE68A') } }];
}

/** A rule takes the colour of a solid fill from what a cell's style calls its background. */
function ruleFill(argb: string): NonNullable<CellStyle['fill']> {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb }, bgColor: { argb } };
}
