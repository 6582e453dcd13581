/**
 * A remembered mapping: for files with exactly these headers, in whatever order, which column holds which
 * field, and which institution a written name means. A person said every part of it; nothing is guessed.
 */
import { createHash } from 'node:crypto';
import { ownColumns } from '../reporting/report-columns.ts';
import { foldText } from '../text/fold.ts';
import { printable } from '../text/printable.ts';
import type { Timestamp } from '../timestamp.ts';
import { signsIn } from './column-names.ts';
import type { Country, CountryId, Directory, Found, Institution, InstitutionId } from './directory.ts';
import type { Field } from './row.ts';

/** What the columns of files with these headers mean, as it was saved. */
export interface Mapping {
  readonly name: string;
  /** As written in the file that it was saved from, without columns of ours. */
  readonly headers: readonly string[];
  readonly columns: ReadonlyMap<Field, string>;
  readonly values: readonly AcceptedValue[];
  readonly savedAt: Timestamp;
  /** All people who saved a part of it. */
  readonly savedBy: readonly Saver[];
}

export interface Saver {
  readonly by: string;
  /** The passkey that this person came in with. */
  readonly cameWith?: string | undefined;
}

/** A person said: in rows of this country, this text means this institution. */
export interface AcceptedValue {
  /** The sandbox has ids of its own. */
  readonly environment: 'live' | 'sandbox';
  /** A text that finds the country and no other: its ISO code wherever that will do. */
  readonly country: string;
  readonly written: string;
  readonly institutionId: InstitutionId;
  /** The name that it had when it was accepted: if the id means another one later, that is noticed. */
  readonly institutionName: string;
}

/** The same for the same headers in any order, however they are spaced, accented and capitalised. */
export function headerFingerprint(headers: readonly string[]): string {
  const folded = fileHeaders(headers).map((header) => (foldText(header) || header.trim()) + signsIn(header));
  return createHash('sha256').update(JSON.stringify(folded.sort()), 'utf8').digest('hex');
}

/** What is fingerprinted and kept: no empty headers, and no columns that we put there ourselves. */
export function fileHeaders(headers: readonly string[]): readonly string[] {
  return ownColumns(headers).flatMap((at) => {
    const header = headers[at]?.trim() ?? '';
    return header === '' ? [] : [header];
  });
}

/** The mapping of these headers, if one was saved. */
export function recognisedMapping(
  headers: readonly string[],
  mappings: readonly Mapping[],
): Mapping | undefined {
  if (mappings.length === 0) return undefined;
  const fingerprint = headerFingerprint(headers);
  return mappings.find((mapping) => headerFingerprint(mapping.headers) === fingerprint);
}

/** The same mapping with these values, of which a newer one takes the place of an older one for the same text. */
export function withValues(mapping: Mapping, added: readonly AcceptedValue[]): Mapping {
  const values = new Map(mapping.values.map((value) => [keyOf(value), value]));
  for (const value of added) values.set(keyOf(value), value);
  return { ...mapping, values: [...values.values()] };
}

/** The same with one more person who saved a part of it. */
export function withSaver(mapping: Mapping, saver: Saver): Mapping {
  const { savedBy } = mapping;
  const isKnown = savedBy.some(({ by, cameWith }) => by === saver.by && cameWith === saver.cameWith);
  return { ...mapping, savedBy: isKnown ? savedBy : [...savedBy, saver] };
}

function keyOf({ environment, country, written }: AcceptedValue): string {
  return [environment, country, foldText(written) || written.trim()].join('\n');
}

/** Says what is wrong with a name for a mapping; undefined when it is good. */
export function mappingNameFault(name: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u.test(name)
    ? undefined
    : 'a name of 1 to 60 letters, digits, spaces, dots and dashes, beginning with a letter or digit';
}

/**
 * A directory that also knows what a person said that written names mean.
 *
 * The list decides first: a text that is the name of an institution means that one. If a person said otherwise,
 * the row is asked about. An accepted institution that is no longer in the list, or has another name now, is not
 * used, and the row says so.
 */

/** `values`: of the environment that the directory is of. */
export function withAcceptedValues(
  directory: Directory,
  { name, values }: { readonly name: string; readonly values: readonly AcceptedValue[] },
): Directory {
  if (values.length === 0) return directory;
  const accepted = new Map<string, AcceptedValue>();
  for (const value of values) {
    const found = directory.findCountry(value.country);
    if (found.kind === 'found') accepted.set(writtenKeyOf(found.item, value.written), value);
  }
  return {
    ...directory,
    findInstitution(countryId: CountryId, written: string) {
      const found = directory.findInstitution(countryId, written);
      const country = directory.countryById(countryId);
      const value = country && accepted.get(writtenKeyOf(country, written));
      if (value === undefined || !directory.hasInstitutionsOf(countryId)) return found;
      return meant(found, directory.findInstitution(countryId, value.institutionId), { value, name });
    },
  };
}

function meant(
  listed: Found<Institution>,
  now: Found<Institution>,
  { value, name }: { readonly value: AcceptedValue; readonly name: string },
): Found<Institution> {
  const was = `the mapping “${name}” takes it for ${value.institutionName} (id ${value.institutionId})`;
  const suggestions = listed.kind === 'unknown' ? listed.suggestions : [];
  if (now.kind !== 'found' || now.item.id !== value.institutionId)
    return { kind: 'unknown', suggestions, since: `${was}, which the service no longer lists` };
  if (foldText(now.item.name) !== foldText(value.institutionName))
    return { kind: 'unknown', suggestions: [now.item], since: `${was}, which is now ${now.item.name}` };
  if (listed.kind === 'found' && listed.item.id !== now.item.id)
    return { kind: 'ambiguous', candidates: [listed.item, now.item] };
  return now;
}

function writtenKeyOf(country: Country, written: string): string {
  return `${country.id}\n${foldText(written) || written.trim()}`;
}

/** For messages: `GCB Bank (id 12)`. */
export function institutionText({ name, id }: Institution): string {
  return `${printable(name)} (id ${id})`;
}
