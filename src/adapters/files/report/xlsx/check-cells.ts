/** Cells that say `ties` or `differs by …`, live, with the answer that they had when the report was made. */
import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { formatMoney } from '../../../../domain/money/money.ts';
import { CHECK_STYLE } from './styles.ts';
import type { Cell, Formula } from './xlsx-workbook.ts';

export interface Difference {
  readonly currency: CurrencyCode;
  readonly difference: bigint;
}

/** Two sums of doubles are equal when they agree to the currency's last decimal. */
export function equalMoney(left: string, right: string, found: Difference): Cell {
  const equal = `ROUND(${right}-${left},${decimalsOf(found.currency)})=0`;
  const formula = `IF(${equal},"ties","differs by "&TEXT(${right}-${left},"0.00"))`;
  return checkCell(formula, differsText(found));
}

export function differsText({ currency, difference }: Difference): string {
  return difference === 0n ? 'ties' : `differs by ${formatMoney({ minor: difference, currency })}`;
}

export function checkCell(formula: string, result: string): Cell {
  const value: Formula = { formula, result };
  return { value, style: CHECK_STYLE };
}
