/**
 * Advice to beneficiaries, to print or to send: who paid whom, how much, when and what for. payfile sends none of it.
 */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { command, flagsOf } from '../domain/next-steps/command.ts';
import { ADVICE_FORMATS, type AdviceFormat, unknownPlace } from '../domain/reporting/advice.ts';
import { saidBy } from '../domain/text/message.ts';
import { counted, countText, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { formatTimestamp, type Timestamp } from '../domain/timestamp.ts';
import { ReportUnwritable } from '../ports/outputs.ts';
import type { AdvisedReturn } from '../use-cases/report/make-advice.ts';
import { batchJson, timeJson } from './batch-json.ts';
import { aside, type Block, line, toned, when } from './block.ts';
import { batch, nonEmptyText, output, overwrite } from './fields.ts';
import * as messages from './messages.ts';
import { field, operation } from './operation.ts';

const TEXT_MAX = 1_000;

const input = z.strictObject({
  batch: batch(),
  output: output('where to write: FILE.html, FILE.csv, or a folder for one page each'),
  overwrite: overwrite(),
  contact: field(nonEmptyText.optional(), {
    help: 'column with a phone or an e-mail address, for a .csv',
    value: 'column',
  }),
  text: field(nonEmptyText.max(TEXT_MAX, { error: `at most ${TEXT_MAX} characters` }).optional(), {
    help: 'message for a .csv, such as "Dear {name}, we paid you {amount} on {day}."',
    value: 'template',
  }),
});

export const advice = operation({
  name: 'advice',
  // The phone of a wallet is its account number.
  needs: ({ contact }: z.output<typeof input>) =>
    contact === undefined ? ['look'] : ['look', 'see_accounts'],
  input,
  async run({ batch: named, output: path, overwrite: isReplaced, contact, text }, context) {
    const target = { ...targetOf(path, contact ?? text), isReplaced };
    const unknown = text === undefined ? undefined : unknownPlace(text);
    if (unknown !== undefined) throw new RequestRefused(messages.placeUnknown(unknown));
    const { makeAdvice } = await import('../use-cases/report/make-advice.ts');
    const looking = await context.readingPorts();
    const { user: by, environment, openAdviceSink, dialogue } = context;
    const ports = { ...looking, openAdviceSink, journal: context.ledger, signal: dialogue.signal };
    try {
      const made = await makeAdvice(named, { ...target, by, contact, text }, ports);
      const hasPayer = looking.policy.organization !== undefined;
      return { ...made, ...target, environment, hasPayer, hasContacts: contact !== undefined };
    } catch (error) {
      if (!(error instanceof ReportUnwritable)) throw error;
      const flags = flagsOf({ '--contact': contact, '--text': text, '-o': { fillIn: 'FILE' } });
      const { cause } = error;
      throw new ReportUnwritable(saidBy(error), { cause, andThen: command('advice', [named], flags) });
    }
  },
  view({ environment, batch: of, rows, path, leftOut, withoutContact, ...result }) {
    return [
      { kind: 'environment', environment },
      line(
        rows === 0
          ? `No payment of batch ${batchLabel(of)} gets advice. Nothing was written.`
          : `Advice for ${counted(rows, 'payment')}: ${path}`,
      ),
      ...[...leftOut].map(([why, count]) => line(`  ${rowsText(count)} left out: ${why}`)),
      ...when(result.hasContacts && withoutContact > 0, () => [
        line(`  ${rowsText(withoutContact)} without a phone or an e-mail address`),
      ]),
      ...cameBackBlocks(result.cameBack),
      ...when(rows > 0 && !result.hasPayer, () => [
        aside('The advice does not say who paid. Set “organization” in the configuration.'),
      ]),
      ...when(rows > 0, () => [aside('payfile does not send advice. Print it, or send it yourself.')]),
    ];
  },
  json: ({ environment, batch: of, rows, path, format, leftOut, cameBack, ...result }) => ({
    environment,
    batch: batchJson(of),
    advice: {
      path: rows === 0 ? null : path,
      ...{ format, rows },
      withoutContact: result.hasContacts ? result.withoutContact : null,
      /** Why rows were left out, with how many. */
      leftOut: Object.fromEntries(leftOut),
    },
    /** Payments that came back after advice was made. */
    cameBack: cameBack.map(({ row, advisedAt, returnedAt }) => ({
      ...{ row, advisedAt: timeJson(advisedAt), returnedAt: timeJson(returnedAt) },
    })),
  }),
  next: ({ rows, batch: of }) => (rows > 0 ? {} : { next: command('status', [batchLabel(of)]) }),
});

/** `forTable`: an input that only a .csv can use. Errors: RequestRefused. */
function targetOf(path: string | undefined, forTable: string | undefined) {
  if (path === undefined || path === '-') throw new RequestRefused(messages.adviceNeedsFile);
  const [, ending = 'folder'] = /\.([a-z]{1,5})$/i.exec(path) ?? [];
  const format: AdviceFormat | undefined = ADVICE_FORMATS.find((each) => each === ending.toLowerCase());
  if (format === undefined) throw new RequestRefused(messages.adviceUnusable(path));
  if (format !== 'csv' && forTable !== undefined) throw new RequestRefused(messages.messagesNeedTable);
  return { path, format };
}

const ROWS_NAMED = 20;

function cameBackBlocks(all: readonly AdvisedReturn[]): readonly Block[] {
  const day = (at: Timestamp) => formatTimestamp(at).slice(0, 10);
  const named = all
    .slice(0, ROWS_NAMED)
    .map(({ row, advisedAt, returnedAt }) =>
      line(`  Row ${row}: advice of ${day(advisedAt)}, came back on ${day(returnedAt)} (UTC)`),
    );
  const left = all.length - named.length;
  const alarm = `${counted(all.length, 'payment')} came back after advice was made. Tell these beneficiaries:`;
  return [
    ...when(all.length > 0, () => [toned('bad', alarm), ...named]),
    ...when(left > 0, () => [line(`  … and ${countText(left)} more, in the JSON`)]),
  ];
}
