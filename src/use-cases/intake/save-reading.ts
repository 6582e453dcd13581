/**
 * Keeps what a person says of a file, for files with the same headers. An institution has to be in the list, by its exact
 * name or id; nothing is chosen by likeness.
 *
 * Errors:  RequestRefused for a name, a file or a word that cannot be meant.
 */
import { command } from '../../domain/next-steps/command.ts';
import { type Said, withNewer } from '../../domain/reading/answer.ts';
import {
  headerFingerprint,
  keptHeaders,
  type Reading,
  readingNameFault,
} from '../../domain/reading/reading.ts';
import { inItsCountry } from '../../domain/reading/said-words.ts';
import { codeOf, type Directory, institutionLabelOf, institutionText } from '../../domain/rows/directory.ts';
import { closest, didYouMean } from '../../domain/text/likeness.ts';
import { input, message } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { OpenRows, OpenRowsOptions, ReadingStore, RowSource } from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import { loadDirectory, loadInstitutions } from './directory-lists.ts';
import { withReading } from './with-reading.ts';

interface SaveRequest {
  readonly name: string;
  readonly open: OpenRowsOptions;
  /** With these the file is opened. */
  readonly answers: readonly Said[];
  /** What is kept of it; undefined: all of them. */
  readonly save?: readonly Said[] | undefined;
  readonly signal: AbortSignal | undefined;
}

interface SavePorts extends Pick<Ports, 'paymentService'> {
  readonly openRows: OpenRows;
  readonly store: ReadingStore;
}

export async function saveReading(
  { name, open, answers, save = answers, signal }: SaveRequest,
  { openRows, store, ...ports }: SavePorts,
): Promise<Reading> {
  requireReadingName(name);
  const kept = await store.all();
  const asked = { answers, edits: [], kept };
  const opened = await openRows({ ...open, asked });
  try {
    requireFreeName(name, opened.headers, kept);
    const words = save.some(({ kind }) => kind === 'value');
    const named = words
      ? await withListedNames(save, await loadDirectory(ports, signal), ports, signal)
      : save;
    withReading(opened, { ...asked, answers: withNewer(answers, named) });
    return await keep(opened, { name, answers: named, store });
  } finally {
    await opened.close();
  }
}

interface Keeping {
  readonly name: string;
  readonly answers: readonly Said[];
  readonly store: ReadingStore;
}

/** Adds to what is kept of files with these headers, without what is of this file alone. Two readings of the same headers would contradict each other. */
export async function keep(
  { headers, reading }: RowSource,
  { name, answers, store }: Keeping,
): Promise<Reading> {
  const kept = {
    name,
    headers: keptHeaders(headers),
    answers: withNewer(
      reading?.answers ?? [],
      answers.filter(({ kind }) => kind !== 'leave_out_row'),
    ),
  };
  if (reading !== undefined && reading.name !== name) await store.forget(reading.name);
  await store.save(kept);
  return kept;
}

export function requireReadingName(name: string): void {
  const fault = readingNameFault(name);
  if (fault === undefined) return;
  throw new RequestRefused(`“${printable(name)}” cannot name a reading; expected ${fault}.`);
}

export function requireFreeName(name: string, headers: readonly string[], kept: readonly Reading[]): void {
  const named = kept.find((reading) => reading.name === name);
  if (named === undefined || headerFingerprint(named.headers) === headerFingerprint(headers)) return;
  throw new RequestRefused(
    `“${name}” is a reading of files with other columns: ${named.headers.map(printable).join(', ')}. Choose another name.`,
    command('status', [], [['--readings']]),
  );
}

export function readingNamed(name: string, kept: readonly Reading[]): Reading {
  const found = kept.find((each) => each.name === name);
  if (found !== undefined) return found;
  const hint = didYouMean(closest(name, kept, (each) => each.name).map((each) => `“${each.name}”`));
  throw new RequestRefused(
    `There is no reading “${printable(name)}”.${hint}`,
    command('status', [], [['--readings']]),
  );
}

async function withListedNames(
  answers: readonly Said[],
  directory: Directory,
  ports: Pick<Ports, 'paymentService'>,
  signal: AbortSignal | undefined,
): Promise<readonly Said[]> {
  const named: Said[] = [];
  for (const given of answers) {
    const answer = given.kind === 'value' ? (inItsCountry(given, directory).at(-1) ?? given) : given;
    const found =
      answer.kind === 'value' && answer.country !== undefined
        ? directory.findCountry(answer.country)
        : undefined;
    if (answer.kind !== 'value' || answer.field !== 'institution' || found?.kind !== 'found') {
      named.push(answer);
      continue;
    }
    const country = found.item;
    await loadInstitutions(directory, country.id, ports, signal);
    const listed = directory.findInstitution(country.id, answer.means);
    if (listed.kind !== 'found') {
      const near = listed.kind === 'unknown' ? listed.suggestions : listed.candidates;
      throw new RequestRefused(
        message(
          'institution_unknown',
        )`${input('value')} is “${printable(answer.written)}=${printable(answer.means)}”, but ${printable(country.name)} has no institution “${printable(answer.means)}”.${didYouMean(near.map(institutionText))}`,
        command('institutions', [codeOf(directory, country)]),
      );
    }
    if (directory.findInstitution(country.id, answer.written).kind === 'found')
      throw new RequestRefused(
        `“${printable(answer.written)}” is the name or id of an institution of ${printable(country.name)} itself; it cannot mean another.`,
      );
    named.push({ ...answer, means: institutionLabelOf(directory, country, listed.item) });
  }
  return named;
}
