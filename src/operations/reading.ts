/** Keeps what people say of files, for files with the same headers. */
import { z } from 'zod';
import { command, nextSteps } from '../domain/next-steps/command.ts';
import type { Said } from '../domain/reading/answer.ts';
import { dayText, saidText } from '../domain/reading/answer-text.ts';
import { headerFingerprint, type Reading } from '../domain/reading/reading.ts';
import { printable } from '../domain/text/printable.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { answerList, saidNow } from './answer-fields.ts';
import { type Block, line, number, table } from './block.ts';
import type { Context } from './context.ts';
import { nonEmptyText, text } from './fields.ts';
import { layoutFields } from './file-fields.ts';
import { operation } from './operation.ts';

export interface KeptReadings {
  readonly readings: readonly Reading[];
  /** The file that has them. */
  readonly place: string;
}

export async function keptReadings(context: Context): Promise<KeptReadings> {
  const store = await context.readings();
  return { readings: await store.all(), place: store.place };
}

export const readings = operation({
  name: 'readings',
  needs: ['look'],
  input: z.strictObject({}),
  run: (_, context) => keptReadings(context),
  json: readingsJson,
});

/** Saving again adds to a reading. */
export const saveReading = operation({
  name: 'saveReading',
  needs: ['bring'],
  changesData: true,
  input: z.strictObject({
    ...{ name: text, file: nonEmptyText, ...layoutFields },
    /** Of the answers, those to keep; undefined: all. */
    save: answerList.optional(),
  }),
  async run({ name, file: path, save: some, ...asked }, context) {
    const { saveReading: keep } = await import('../use-cases/intake/save-reading.ts');
    const { readingAskedOf, saidByOf } = await import('./file-request.ts');
    context.requireService();
    await context.requireFile(path);
    const { sheet, headerRow, delimiter, encoding } = asked;
    const { answers } = await readingAskedOf(asked, context);
    const save = some && saidNow(some, saidByOf(context));
    const open = { path, sheet, headerRow, delimiter, encoding };
    const store = await context.readings();
    const ports = { ...(await context.servicePorts()), openRows: context.openRows, store };
    return {
      reading: await keep({ name, open, answers, save, signal: context.dialogue.signal }, ports),
      place: store.place,
    };
  },
  json: ({ reading, place }) => ({ reading: readingJson(reading), place }),
});

export const forgetReading = operation({
  name: 'forgetReading',
  needs: ['bring'],
  changesData: true,
  input: z.strictObject({ name: text }),
  async run({ name }, context) {
    const { readingNamed } = await import('../use-cases/intake/save-reading.ts');
    const store = await context.readings();
    const { name: forgotten } = readingNamed(name, await store.all());
    await store.forget(forgotten);
    return { forgotten, place: store.place };
  },
  json: (result) => result,
});

export function readingsView({ readings: all }: KeptReadings): readonly Block[] {
  if (all.length === 0) return [line('No reading is kept.')];
  return [
    table(
      ['Reading', number('Answers'), 'Last', 'Columns'],
      all.map(({ name, answers, headers }) => [
        name,
        answers.length,
        lastText(answers),
        printable(headers.join(', ').slice(0, LONGEST)),
      ]),
    ),
  ];
}

const LONGEST = 60;

function lastText(answers: readonly Said[]): string {
  const last = answers
    .map(({ at }) => at)
    .sort((one, other) => one - other)
    .at(-1);
  return last === undefined ? '' : dayText(last);
}

export const readingsSteps = ({ readings: all }: KeptReadings) =>
  all.length > 0
    ? {}
    : nextSteps(command('check', [{ fillIn: 'FILE' }], [['--save-reading', { fillIn: 'NAME' }]]));

export function readingsJson({ readings: all, place }: KeptReadings) {
  return { readings: all.map(readingJson), place };
}

function readingJson({ name, headers, answers }: Reading) {
  return { name, fingerprint: headerFingerprint(headers), headers, answers: answersJson(answers) };
}

/** With who said it, and when. */
export const answersJson = (answers: readonly Said[]) =>
  answers.map(({ at, ...answer }) => ({ ...answer, at: formatTimestamp(at) }));

const MOST_SHOWN = 20;

/** Who said what of the file. */
export function answerBlocks(answers: readonly Said[]): readonly Block[] {
  const left = answers.length - MOST_SHOWN;
  return [
    ...answers.slice(0, MOST_SHOWN).map((answer) => line(`  said: ${saidText(answer)}`)),
    ...(left > 0 ? [line(`  … and ${left} more.`)] : []),
  ];
}
