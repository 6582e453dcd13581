/** The end of work on a batch: what it came to, the reports that were written, and a sentence of the work itself. */
import { batchLabel } from '../domain/batches/batch.ts';
import { command } from '../domain/next-steps/command.ts';
import { takenJson, totalsJson } from '../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../domain/reporting/currency-totals.ts';
import type { Piece, Wording } from '../domain/text/message.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block, line, when } from './block.ts';
import { outcomeBlocks } from './outcome-blocks.ts';
import { attentionJson } from './status.ts';

export interface EndSaid {
  /** The word for programs, where it is not the rows' own. */
  readonly outcome?: string | undefined;
  /** False: the table is not shown. */
  readonly hasTable?: boolean | undefined;
  /** Shown below the reports. */
  readonly sentence?: readonly Piece[] | undefined;
}

export function endedBlocks(ended: BatchEnd, { hasTable, sentence }: EndSaid): readonly Block[] {
  const label = batchLabel(ended.batch);
  const shown = { ...ended, title: `Batch ${label}`, listedBy: command('status', [label]) };
  return [
    ...(hasTable === false ? [] : outcomeBlocks(shown)),
    ...ended.reports.map(({ path, problem }) =>
      problem === undefined ? line(`Report: ${path}`) : aside(problem),
    ),
    ...when(sentence, (pieces) => [aside(...pieces)]),
  ];
}

/** `sentence`: as the host shows it. */
export function endedJson(
  { batch, environment, outcome, totals, attention, reports }: BatchEnd,
  { outcome: word = outcome.word, sentence = outcome.sentence }: Said,
  wording: Wording,
) {
  return {
    environment,
    batch: batchJson(batch),
    outcome: word,
    sentence,
    counts: totals.counts,
    totals: totalsJson(totals),
    ...unaccountedJson(totals),
    staysTaken: takenJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention: attentionJson(attention, wording),
    reports,
  };
}

interface Said {
  readonly outcome?: string | undefined;
  readonly sentence?: string | undefined;
}
