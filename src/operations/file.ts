/** A file that is not a batch yet: its columns, a corrected copy, and a name for its batch. */
import { z } from 'zod';
import { nonEmptyText, text } from './fields.ts';
import { layoutFields, readFields } from './file-fields.ts';
import { operation } from './operation.ts';
import { fixWrittenJson } from './placed-blocks.ts';

/** Shows how payfile reads the columns. Missing columns are no error. Errors: FileRefused if the file has no table. */
export const columns = operation({
  name: 'columns',
  needs: ['bring'],
  input: z.strictObject({ file: nonEmptyText, ...layoutFields }),
  async run({ file: path, ...layout }, context) {
    const { fileColumns } = await import('../use-cases/intake/file-columns.ts');
    const { readingAskedOf } = await import('./file-request.ts');
    await context.requireFile(path);
    const { sheet, headerRow, delimiter, encoding } = layout;
    const open = {
      path,
      sheet,
      headerRow,
      delimiter,
      encoding,
      asked: await readingAskedOf(layout, context),
    };
    return fileColumns(context.openRows, open, context.dialogue.signal);
  },
  json: (seen) => seen,
});

/** Writes all rows with their corrections, and marks cells that are still wrong. */
export const writeCorrected = operation({
  name: 'writeCorrected',
  needs: ['bring'],
  input: z.strictObject({ ...readFields, file: nonEmptyText, output: nonEmptyText }),
  async run({ output, ...asked }, context) {
    const { readOptionsOf } = await import('./file-request.ts');
    const { checkFile } = await import('../use-cases/intake/check-file.ts');
    const { createFixFile } = await import('../use-cases/intake/fix-file.ts');
    const { files, outputs } = context;
    context.requireService();
    await files.requireOwnPlaces({ file: asked.file, fixFile: output });
    await context.requireFile(asked.file);
    await outputs.check(output, 'fix');
    const asking = await context.servicePorts();
    const fixFile = createFixFile(context.openFixSink, output, { source: asked.file, isAlways: true });
    try {
      const read = await readOptionsOf(asked, context);
      await checkFile(context.openRows, read, { ...asking, fixFile });
      const written = await fixFile.finish();
      if (written === undefined) throw new TypeError('A corrected file has rows');
      return written;
    } catch (error) {
      await fixFile.abort();
      throw error;
    }
  },
  json: fixWrittenJson,
});

/** An unused batch name: the file name and the month. */
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
