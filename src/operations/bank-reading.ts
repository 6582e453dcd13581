/**
 * How the statements of a bank are read, saved under the bank's name and reused: columns, sign of payments, order of dates,
 * and where the table stands.
 */
import { STATEMENT_FIELDS, type StatementField } from '../domain/statement/statement-columns.ts';
import type { BankReading } from '../ports/bank-readings.ts';
import type { Context } from './context.ts';

/** What a request says of it. */
type Read = { readonly [Key in Exclude<keyof BankReading, 'columns'>]?: BankReading[Key] | undefined } & {
  readonly bank?: string | undefined;
  readonly map?: ReadonlyMap<StatementField, string> | undefined;
};

/** What the user says is stronger than what is saved. Whoever names one column of amounts names them all. */
export async function withBankReading<Asked extends Read>(asked: Asked, context: Context): Promise<Asked> {
  const { bank } = asked;
  const saved = bank === undefined ? undefined : await (await context.bankReadings()).find(bank);
  if (saved === undefined) return asked;
  const { columns: kept, ...others } = saved;
  const { map = new Map<StatementField, string>() } = asked;
  const isNamed = AMOUNT_FIELDS.some((name) => map.has(name));
  const known = STATEMENT_FIELDS.flatMap((name) => {
    const header = isNamed && AMOUNT_FIELDS.includes(name) ? undefined : kept[name];
    return header === undefined ? [] : [[name, header] as const];
  });
  const said = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return { ...asked, ...others, ...said, map: new Map([...known, ...map]) };
}

const AMOUNT_FIELDS: readonly StatementField[] = ['amount', 'debit', 'credit'];

/** After a comparison: with the sign that a person named when asked. */
export async function saveBankReading(
  { payments }: Pick<Read, 'payments'>,
  asked: Read,
  context: Context,
): Promise<void> {
  const { bank, map = new Map(), dateOrder, sheet, headerRow, delimiter, encoding } = asked;
  if (bank === undefined) return;
  const said = { payments, dateOrder, sheet, headerRow, delimiter, encoding };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  await (await context.bankReadings()).save(bank, { columns: Object.fromEntries(map), ...given });
}
