/** Saves the meaning of columns and institution names, for files with the same headers. */
import { z } from 'zod';
import { command, nextSteps, shellWord } from '../domain/next-steps/command.ts';
import { usedColumns } from '../domain/rows/column-names.ts';
import { headerFingerprint, institutionText, type Mapping } from '../domain/rows/mapping.ts';
import { counted, printable, rowsText } from '../domain/text/printable.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { UnknownInstitution } from '../use-cases/intake/check-file.ts';
import type { WrittenValue } from '../use-cases/intake/save-mapping.ts';
import { aside, BLANK, type Block, line, number, table, when } from './block.ts';
import type { Context } from './context.ts';
import { nonEmptyText, text, word } from './fields.ts';
import { fileCommand, layoutFlags } from './file-commands.ts';
import { edits, layoutFields } from './file-fields.ts';
import { saveWithValue } from './messages-files.ts';
import { field, operation } from './operation.ts';

const names = z.strictObject({ name: word('name') });

const values = field(
  z
    .array(z.strictObject({ written: text, institution: text, flag: text }), { error: 'a list of values' })
    .default([]),
  {
    help: 'meaning of a name in the file, such as "GH/GCB=GCB Bank"; may be repeated',
    value: 'written=institution',
    read(typed): WrittenValue | undefined {
      const [, written = '', institution = ''] = /^([^=]*)=(.*)$/s.exec(typed) ?? [];
      if (written.trim() === '' || institution.trim() === '') return undefined;
      return { written: written.trim(), institution: institution.trim(), flag: typed };
    },
    expected: 'WRITTEN=INSTITUTION, such as "GCB=GCB Bank"',
  },
);

export const mappings = operation({
  name: 'mapping list',
  needs: ['look'],
  input: z.strictObject({}),
  async run(_, context) {
    const store = await context.mappings();
    return { mappings: await store.all(), place: store.place };
  },
  view: ({ mappings: all }) => [
    all.length === 0
      ? line('No mapping is saved.')
      : table(
          ['Mapping', number('Columns'), number('Names'), 'Saved'],
          all.map(({ name, columns: { size }, values: meant, savedAt }) => [
            name,
            size,
            meant.length,
            formatTimestamp(savedAt).slice(0, 10),
          ]),
        ),
  ],
  json: ({ mappings: all, place }) => ({ mappings: all.map(mappingJson), place }),
  next: ({ mappings: all }) =>
    all.length > 0 ? {} : nextSteps(command('mapping', ['save', { fillIn: 'NAME' }, { fillIn: 'FILE' }])),
});

export const showMapping = operation({
  name: 'mapping show',
  needs: ['look'],
  input: names,
  async run({ name }, context) {
    const { mappingNamed } = await import('../use-cases/intake/save-mapping.ts');
    const store = await context.mappings();
    return { mapping: await mappingNamed(name, store), place: store.place };
  },
  view: ({ mapping }) => mappingBlocks(mapping),
  json: ({ mapping, place }) => ({ mapping: mappingJson(mapping), place }),
});

const saving = z.strictObject({ name: word('name'), file: word('file'), ...layoutFields, value: values });

/** Saving again adds to a mapping. `unknown`: names of the file that are still unknown. */
export const saveMapping = operation({
  name: 'mapping save',
  needs: ['bring'],
  changesData: true,
  input: saving,
  async run(asked, context) {
    const { requireMappingName, saveMapping: save } = await import('../use-cases/intake/save-mapping.ts');
    const { name, file: path, value, ...layout } = asked;
    requireMappingName(name);
    context.requireService();
    await context.requireFile(path);
    const store = await context.mappings();
    const { environment, openRows, dialogue, saver } = context;
    const known = await context.files.savedMappings();
    const ports = { ...(await context.servicePorts()), clock: context, openRows, store, environment, saver };
    const open = { ...layout, path, mappings: known };
    const request = { name, open, values: value, layout: layoutFlags(asked), signal: dialogue.signal };
    return { ...(await save(request, ports)), place: store.place, environment, asked };
  },
  view: ({ mapping, unknown }) => [
    ...mappingBlocks(mapping),
    ...unknown.slice(0, UNKNOWN_SHOWN).map(unknownLine),
    ...when(unknown.length > UNKNOWN_SHOWN, () => [
      aside(`… and ${counted(unknown.length - UNKNOWN_SHOWN, 'more name')}.`),
    ]),
  ],
  json: ({ mapping, unknown, place, environment }) => ({
    environment,
    mapping: mappingJson(mapping),
    place,
    unknown: unknown.map(({ country, written, rows, firstRow, suggestions }) => ({
      country: { iso: country.iso, name: country.name },
      written,
      rows,
      firstRow,
      suggestions: suggestions.map(({ id, name }) => ({ id, name })),
    })),
  }),
  next: ({ asked }) => ({ next: fileCommand(asked, 'check') }),
});

export const forgetMapping = operation({
  name: 'mapping forget',
  needs: ['bring'],
  changesData: true,
  input: names,
  async run({ name }, context) {
    const { mappingNamed } = await import('../use-cases/intake/save-mapping.ts');
    const store = await context.mappings();
    const { name: forgotten } = await mappingNamed(name, store);
    await store.forget(forgotten);
    return { forgotten, place: store.place };
  },
  view: ({ forgotten }) => [line(`Removed the mapping “${forgotten}”. This changes no payment.`)],
  json: (result) => result,
});

/** Institution names in a file that the service does not know, each once; at most 1,000. Stores nothing. */
export const unknownInstitutions = operation({
  name: 'unknownInstitutions',
  needs: ['bring'],
  input: z.strictObject({
    file: nonEmptyText,
    ...layoutFields,
    edits,
  }),
  async run({ file: path, edits: corrected, ...layout }, context: Context) {
    const { findUnknownInstitutions } = await import('../use-cases/intake/check-file.ts');
    const { withEdits } = await import('../use-cases/intake/edited-rows.ts');
    context.requireService();
    await context.requireFile(path);
    const known = await context.files.savedMappings();
    const request = { open: { ...layout, path, mappings: known }, signal: context.dialogue.signal };
    const rows = withEdits(context.openRows, corrected);
    const { unknown, mapping } = await findUnknownInstitutions(rows, request, await context.servicePorts());
    return { unknown, mapping };
  },
  json: ({ unknown, mapping }) => ({ unknown, mapping: mapping === undefined ? null : mappingJson(mapping) }),
});

const UNKNOWN_SHOWN = 20;

function unknownLine({
  country,
  countryCode,
  written,
  rows,
  firstRow,
  suggestions,
}: UnknownInstitution): Block {
  const where = `“${printable(written)}” in ${printable(country.name)} (${rowsText(rows)}, first on row ${firstRow})`;
  // The command never contains the suggestion, so that a person has to decide, not only to copy.
  const { pieces } = saveWithValue(shellWord(`${countryCode}/${printable(written)}=INSTITUTION`));
  if (suggestions.length > 0)
    return aside(
      `Not in the list: ${where}. Did you mean ${suggestions.map(institutionText).join(' or ')}? `,
      ...pieces,
    );
  return aside(`Not in the list: ${where}. See: `, command('institutions', [countryCode]), '. ', ...pieces);
}

function mappingBlocks({ name, headers, columns, values: meant, savedAt }: Mapping): readonly Block[] {
  const used = usedColumns({
    headers,
    columns: new Map([...columns].map(([of, header]) => [of, headers.indexOf(header)])),
  });
  const others = headers.filter((_, at) => !used.has(at));
  const fields = [...Map.groupBy(used, ([, of]) => of)].map(([of, places]) => [
    of,
    places.map(([at]) => printable(headers[at] ?? '')).join(' + '),
  ]);
  const meanings = meant.map(({ environment, country, written, institutionName, institutionId }) => [
    `${country}/${printable(written)}`,
    printable(institutionName),
    institutionId,
    environment,
  ]);
  return [
    line(`Mapping “${name}”, saved ${formatTimestamp(savedAt).slice(0, 10)}`),
    BLANK,
    table(['Field', 'Column'], fields),
    ...when(others.length > 0, () => [
      BLANK,
      line(`Columns of your own: ${others.map(printable).join(', ')}`),
    ]),
    ...when(meant.length > 0, () => [BLANK, table(['Written', 'Institution', 'Id', 'Service'], meanings)]),
  ];
}

function mappingJson({ name, headers, columns, values: meant, savedAt }: Mapping) {
  return {
    name,
    fingerprint: headerFingerprint(headers),
    savedAt: formatTimestamp(savedAt),
    headers,
    columns: Object.fromEntries(columns),
    values: meant.map(({ institutionId, institutionName, ...value }) => ({
      ...value,
      field: 'institution',
      institution: { id: institutionId, name: institutionName },
    })),
  };
}
