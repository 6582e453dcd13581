/**
 * Reads a file and validates it against the live lists. Requests no names or quotes. Stores nothing and moves no money.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import { styleJson } from '../domain/money/amount-style.ts';
import { formatAmount, moneyJson } from '../domain/money/money.ts';
import { nextSteps } from '../domain/next-steps/command.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { unexpectedTotals } from '../domain/rows/total-rows.ts';
import { whole } from '../domain/setting-kinds.ts';
import type { Piece } from '../domain/text/message.ts';
import { countText, printable, rowsText } from '../domain/text/printable.ts';
import type { CheckedFile } from '../use-cases/intake/check-file.ts';
import type { FixWritten } from '../use-cases/intake/fix-file.ts';
import { asideOf, BLANK, type Block, line, number, table, toned, when } from './block.ts';
import { toLookAt } from './call-summary.ts';
import type { Context } from './context.ts';
import { fileCommand } from './file-commands.ts';
import { type CheckAsked, checkFields } from './file-fields.ts';
import { firstOfEachKind, issueBlocks, issuesJson, shortIssues } from './issue-blocks.ts';
import { correctNumbers, correctRows } from './messages-files.ts';
import { operation } from './operation.ts';
import { fixFileBlocks, fixFileJson } from './placed-blocks.ts';
import { allIssuesBy } from './plan.ts';
import { amountsText } from './plan-blocks.ts';
import { questionBlocks, questionsJson } from './question-blocks.ts';
import { answerBlocks, answersJson } from './reading.ts';

const input = z.strictObject({
  ...checkFields,
  /** How many invalid rows the result holds in full, for correction. */
  keepRows: whole(0, 10_000).optional(),
  /** In the sandbox, the accounts of these rows belong to the people whom the file names. */
  namesHolders: z.boolean().optional(),
});
type Asked = z.output<typeof input>;

export interface CheckedRows extends CheckedFile {
  /** Differences from the expected count and totals. */
  readonly unexpected: readonly string[];
  readonly fixFile: FixWritten | undefined;
  /** What the user must correct before a plan; undefined: nothing. */
  readonly toCorrect: 'rows' | 'numbers' | undefined;
  readonly environment: 'live' | 'sandbox';
  readonly asked: CheckAsked;
}

export const check = operation({
  name: 'check',
  needs: ['bring'],
  isQuietOnSuccess: true,
  input,
  run: checkedRows,
  view,
  json: (checked, wording) => ({
    environment: checked.environment,
    file: {
      name: basename(checked.asked.file),
      sheet: checked.sheet ?? null,
      rows: checked.rows,
      invalid: checked.invalid,
      held: checked.held,
      blankRows: checked.blankRows,
      leftOut: checked.leftOut,
      sha256: checked.fileSha256,
      amountStyle: styleJson(checked.amountStyle),
    },
    totals: [...checked.totals].map(([currency, { count, minor }]) => ({
      count,
      ...moneyJson({ currency, minor }),
    })),
    unexpected: checked.unexpected,
    issues: issuesJson(rowIssuesOf(checked), checked.sheet),
    holds: checked.holds,
    fixFile: fixFileJson(checked.fixFile),
    notes: checked.notes,
    reading: checked.readingName ?? null,
    answers: answersJson(checked.answers),
    questions: questionsJson(checked.questions, wording),
  }),
  next({ toCorrect, fixFile, asked }) {
    // The next command plans the same rows and expects the same numbers.
    const again = fileCommand(asked, toCorrect === undefined ? 'plan' : 'check', {
      correctedPath: fixFile?.path,
    });
    // The user must correct the file first, so this command is not the next one.
    return toCorrect === undefined ? nextSteps(again) : { andThen: again };
  },
  exit: ({ toCorrect }) => (toCorrect === undefined ? EXIT.done : EXIT.badFile),
  summarize: (checked) => ({ toLookAt: toLookAt(shortIssues(rowIssuesOf(checked))) }),
});

async function checkedRows(given: Asked, context: Context): Promise<CheckedRows> {
  const { fixFileMaker, readOptionsOf, withFixFile } = await import('./file-request.ts');
  const { batchNameOf } = await import('../use-cases/intake/batch-name.ts');
  const { checkFile } = await import('../use-cases/intake/check-file.ts');
  const asked = await withFixFile(given, context);
  context.requireService();
  if (asked.batch !== undefined) batchNameOf(asked.batch);
  await context.files.requireOwnPlaces(asked);
  await context.requireFile(asked.file);
  const asking = await context.servicePorts();
  const fixFile = (await fixFileMaker(asked, context))?.();
  try {
    const read = { ...(await readOptionsOf(asked, context)), keepRows: given.keepRows };
    const checked = await checkFile(context.openRows, read, { ...asking, fixFile });
    const { rows, invalid, totals, holders } = checked;
    if (given.namesHolders === true && context.environment === 'sandbox')
      await context.ownSandbox.knowHolders(holders);
    const sums = new Map([...totals].map(([currency, { minor }]) => [currency, minor]));
    const expected = { count: asked.expectCount, totals: asked.expectTotal ?? [] };
    const unexpected = unexpectedTotals(expected, { rows, invalid, sums });
    const isInvalid = invalid > 0 && !asked.skipInvalid;
    const toCorrect = isInvalid ? 'rows' : unexpected.length > 0 ? 'numbers' : undefined;
    const { environment } = context;
    return { ...checked, unexpected, fixFile: await fixFile?.finish(), toCorrect, environment, asked };
  } catch (error) {
    await fixFile?.abort();
    throw error;
  }
}

const rowIssuesOf = ({ issues }: CheckedRows) =>
  issues.map(({ row: rowNumber, issues: found }) => ({ rowNumber, issues: found }));

function view(checked: CheckedRows): readonly Block[] {
  const { asked, fixFile, toCorrect, unexpected } = checked;
  const holds = checked.holds.map(
    ({ row, reasons }) => `Row ${row}: will be held: ${reasons.map(printable).join('; ')}`,
  );
  return [
    ...issueBlocks(rowIssuesOf(checked), { all: asked.all, allBy: allIssuesBy(asked) }),
    ...listed(holds, asked).map((pieces) => line(...pieces)),
    ...when(checked.issues.length + holds.length > 0, () => [BLANK]),
    ...summaryBlocks(checked),
    ...unexpected.map((problem) => toned('bad', `✖ ${problem}`)),
    ...when(fixFile, (written) => fixFileBlocks(written, asked.file)),
    ...when(toCorrect, (what) => [asideOf(what === 'rows' ? correctRows : correctNumbers)]),
    ...when(checked.questions.length > 0, () => [BLANK, ...questionBlocks(checked.questions)]),
  ];
}

/** All sentences, or at most twenty of each kind. */
const listed = (sentences: readonly string[], { all }: CheckAsked): readonly (readonly Piece[])[] =>
  all ? sentences.map((text) => [text]) : firstOfEachKind(sentences);

function summaryBlocks(checked: CheckedRows): readonly Block[] {
  const { rows, invalid, held, blankRows, notes, sheet, amountStyle, asked, environment, answers } = checked;
  const name = asked.file === '-' ? 'standard input' : printable(basename(asked.file));
  const place = sheet === undefined ? '' : ` · sheet “${printable(sheet)}”`;
  const blank = blankRows > 0 ? `, ${countText(blankRows)} blank` : '';
  const waits = held > 0 ? `, ${countText(held)} of them held for a person` : '';
  const totals = [...checked.totals].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    line(`${name}${place} · ${rowsText(rows)}${blank}`),
    { kind: 'environment', environment },
    line(`  ${amountsText(amountStyle)}`),
    ...listed(notes.map(printable), asked).map((pieces) => line('  ', ...pieces)),
    ...answerBlocks(answers),
    BLANK,
    line(`✔ ${rowsText(rows - invalid)} can be paid${waits}`),
    ...when(invalid > 0, () => [
      line(`✖ ${rowsText(invalid)} cannot be paid as written: left out of the sums`),
    ]),
    BLANK,
    table(
      ['Currency', ...['Rows', 'Beneficiaries get'].map(number)],
      totals.map(([currency, { count, minor }]) => [
        currency,
        countText(count),
        formatAmount({ currency, minor }),
      ]),
    ),
  ];
}
