/** A file before it is a batch: how its columns are read, a corrected copy, and a name for its batch. */
import { z } from 'zod';
import { filled, text } from './fields.ts';
import { layoutFields, readFields } from './file-fields.ts';
import { operation } from './operation.ts';
import { fixedJson } from './placed-blocks.ts';

/** For a person who says what columns hold: a file whose columns do not suffice is no error. Errors: FileRefused without a table. */
export const columns = operation({
  name: 'columns',
  needs: ['bring'],
  input: z.strictObject({ file: filled, ...layoutFields }),
  async run({ file: path, ...layout }, context) {
    const { fileColumns } = await import('../use-cases/intake/file-columns.ts');
    await context.files.require(path);
    const mappings = await context.files.savedMappings();
    return fileColumns(context.openRows, { ...layout, path, mappings }, context.dialogue.signal);
  },
  json: (seen) => seen,
});

/** Writes all rows as they read with their corrections. Cells that are still wrong are marked. */
export const writeCorrected = operation({
  name: 'writeCorrected',
  needs: ['bring'],
  input: z.strictObject({ ...readFields, file: filled, output: filled }),
  async run({ output, ...asked }, context) {
    const { readOptionsOf } = await import('./file-request.ts');
    const { checkFile } = await import('../use-cases/intake/check-file.ts');
    const { withEdits } = await import('../use-cases/intake/edited-rows.ts');
    const { createFixFile } = await import('../use-cases/intake/fix-file.ts');
    const { files, outputs } = context;
    context.requireService();
    await files.requireOwnPlaces({ file: asked.file, fixFile: output });
    await files.require(asked.file);
    await outputs.check(output, 'fix');
    const asking = await context.asking();
    const fixFile = createFixFile(files.openFixSink, output, { source: asked.file, isAlways: true });
    try {
      const read = await readOptionsOf(asked, context);
      await checkFile(withEdits(context.openRows, asked.edits), read, { ...asking, fixFile });
      const written = await fixFile.finish();
      if (written === undefined) throw new TypeError('A corrected file has rows');
      return written;
    } catch (error) {
      await fixFile.abort();
      throw error;
    }
  },
  json: fixedJson,
});

/** A name that no batch has: that of the file, and the month. */
export const proposedName = operation({
  name: 'proposedName',
  needs: ['bring'],
  input: z.strictObject({ fileName: text }),
  async run({ fileName }, context) {
    const { proposedName: nameFor } = await import('../use-cases/intake/batch-name.ts');
    return { name: await nameFor(fileName, context.now(), await context.ledgerIfAny()) };
  },
  json: (proposed) => proposed,
});
