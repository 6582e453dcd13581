/**
 * One saved mapping, for people and as JSON.
 */
import { headerFingerprint, type Mapping } from '../domain/mapping.ts';
import { printable } from '../domain/printable.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { tableOf } from './table.ts';

export function printMapping({ name, headers, columns, values, savedAt }: Mapping): string {
  const used = new Set(columns.values());
  const others = headers.filter((header) => !used.has(header));
  const fields = [...columns].map(([field, header]) => [field, printable(header)]);
  const meanings = values.map(({ environment, country, written, institutionName, institutionId }) => [
    `${country}/${printable(written)}`,
    printable(institutionName),
    institutionId,
    environment,
  ]);
  const what = [{ title: 'Written' }, { title: 'Institution' }, { title: 'Id' }, { title: 'Service' }];
  return [
    `Mapping “${name}”, saved ${formatTimestamp(savedAt).slice(0, 10)}`,
    '',
    ...tableOf([{ title: 'Field' }, { title: 'Column' }], fields),
    ...(others.length > 0 ? ['', `Columns of your own: ${others.map(printable).join(', ')}`] : []),
    ...(values.length > 0 ? ['', ...tableOf(what, meanings)] : []),
  ].join('\n');
}

export function mappingJson(mapping: Mapping): Readonly<Record<string, unknown>> {
  const { name, headers, columns, values, savedAt } = mapping;
  return {
    name,
    fingerprint: headerFingerprint(headers),
    savedAt: formatTimestamp(savedAt),
    headers,
    columns: Object.fromEntries(columns),
    values: values.map(({ institutionId, institutionName, ...value }) => ({
      ...value,
      field: 'institution',
      institution: { id: institutionId, name: institutionName },
    })),
  };
}
