/**
 * Columns that are taken without a question, because their cells can be nothing else and no other column can be it: wallets of
 * the list, their phone numbers, and the one amount whose header names the currency of every row. All that is missing is
 * taken so, or nothing.
 */
import { accountForm } from '../accounts/account-form.ts';
import { currencyOfCountry } from '../money/currency.ts';
import { fieldMaybeMeant } from '../rows/column-names.ts';
import type { Country, Directory } from '../rows/directory.ts';
import { currencyOfHeader } from '../rows/header-currency.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import type { HeaderFault } from './bind-columns.ts';
import { isLikely } from './column-kinds.ts';
import { columnsFor } from './columns-for.ts';
import type { Look, SeenColumn } from './look.ts';

/** Field → index of its column; undefined: a person has to say it. */
export function plainlyMeant(
  faults: readonly HeaderFault[],
  look: Look,
  directory: Directory,
): ReadonlyMap<Field, number> | undefined {
  const countries = countriesIn(look, directory);
  if (countries.length === 0 || faults.length === 0) return undefined;
  const taken = new Map<Field, SeenColumn>();
  for (const fault of faults) {
    const [column, ...others] = fault.kind === 'missing' ? columnsFor(fault.field, look, directory) : [];
    if (fault.kind !== 'missing' || column === undefined || others.length > 0) return undefined;
    taken.set(fault.field, column);
  }
  const institution = taken.get('institution') ?? look.columns.find(({ field }) => field === 'institution');
  const isTaken: Partial<Record<Field, (column: SeenColumn) => boolean>> = {
    institution: (column) => isLikely('institution', column) && areInstitutions(column, countries, directory),
    account: (column) =>
      column.examples.every((text) => /^\+?[\d\s().-]{7,20}$/.test(text)) &&
      areWallets(institution, countries, directory),
    amount: ({ header }) => isInOwnCurrency(header, countries),
  };
  const all = [...taken].every(([field, column]) => isTaken[field]?.(column) === true);
  return all ? new Map([...taken].map(([field, { at }]) => [field, at])) : undefined;
}

/** All that the column of countries names; empty where a word names none. */
function countriesIn({ columns }: Look, directory: Directory): readonly Country[] {
  const words = [...(columns.find(({ field }) => field === 'country')?.words?.keys() ?? [])];
  const found = words.map((word) => directory.findCountry(word));
  return found.every(({ kind }) => kind === 'found')
    ? found.flatMap((each) => (each.kind === 'found' ? [each.item] : []))
    : [];
}

const areInstitutions = (column: SeenColumn, countries: readonly Country[], directory: Directory): boolean =>
  column.field === undefined &&
  column.words !== undefined &&
  [...column.words.keys()].every((word) =>
    countries.some(({ id }) => directory.findInstitution(id, word).kind === 'found'),
  );

/** At a bank a phone number is no account. */
const areWallets = (
  column: SeenColumn | undefined,
  countries: readonly Country[],
  directory: Directory,
): boolean =>
  column?.words !== undefined &&
  [...column.words.keys()].every((word) => {
    const having = countries.filter(({ id }) => directory.findInstitution(id, word).kind === 'found');
    return (
      having.length > 0 &&
      having.every(({ iso }) => accountForm({ iso, institution: foldText(word) }) === 'phone')
    );
  });

function isInOwnCurrency(header: string, countries: readonly Country[]): boolean {
  const currency = currencyOfHeader(header);
  const isAmount = fieldMaybeMeant(header.replace(/[*\s]+$/, '')) === 'amount';
  return (
    isAmount && currency !== undefined && countries.every(({ iso }) => currencyOfCountry(iso) === currency)
  );
}
