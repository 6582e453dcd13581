/**
 * Makes a template: the service's countries and institutions as they are now, each under a text that finds exactly it when
 * the filled-in file is read.
 *
 * Errors:  ServiceUnavailable when a list cannot be had; RequestRefused for a country that the service does not have;
 *          ReportUnwritable.
 */
import {
  type Country,
  type Directory,
  type Institution,
  institutionLabelOf,
  labelOf,
} from '../../domain/rows/directory.ts';
import type { OutputGuard, TemplateContent, TemplateCountry, WriteTemplate } from '../../ports/outputs.ts';
import { type Asking, countriesNamed } from '../look-up.ts';
import { addInstitutions, loadDirectory, ServiceUnavailable } from './directory-lists.ts';

export interface Template extends Pick<TemplateContent, 'countries'> {
  /** The service lists nobody there who could be paid; left out. */
  readonly empty: readonly Country[];
}

export interface TemplateAsked extends Omit<TemplateContent, 'countries'> {
  /** A path, or `-` for standard output. */
  readonly path: string;
  /** The user lets it take the place of another file. */
  readonly isReplaced: boolean;
  /** By name, ISO code or id. None: all of the service. */
  readonly named: readonly string[];
}

export interface TemplatePorts extends Asking {
  readonly outputs: OutputGuard;
  readonly writeTemplate: WriteTemplate;
}

export async function makeTemplate(
  { path, isReplaced, named, ...asked }: TemplateAsked,
  { outputs, writeTemplate, ...asking }: TemplatePorts,
): Promise<Template> {
  await outputs.check(path, 'template', isReplaced);
  const directory = await loadDirectory(asking, asking.signal);
  const wanted = named.length === 0 ? directory.countries : countriesNamed(named, directory);
  const made = await offersOf(directory, wanted, asking);
  await writeTemplate(path, { ...asked, countries: made.countries }, isReplaced);
  return made;
}

/** `countries`: which of the directory; their institutions are asked for. */
export async function offersOf(
  directory: Directory,
  countries: readonly Country[],
  { paymentService, signal }: Pick<Asking, 'paymentService' | 'signal'>,
): Promise<Template> {
  const filled: TemplateCountry[] = [];
  const empty: Country[] = [];
  for (const country of byName(countries)) {
    signal?.throwIfAborted();
    const asked = await paymentService.institutions(country.id, signal);
    if (asked.kind === 'answered' && asked.answer.length === 0) empty.push(country);
    else filled.push(offered(directory, country, addInstitutions(directory, country.id, asked)));
  }
  if (filled.length === 0)
    throw new ServiceUnavailable(
      'The payment service lists no institution in any of these countries. Try again.',
    );
  return { countries: filled, empty };
}

function offered(
  directory: Directory,
  country: Country,
  institutions: readonly Institution[],
): TemplateCountry {
  return {
    country,
    label: labelOf(directory, country),
    institutions: byName(institutions).map((institution) => ({
      institution,
      label: institutionLabelOf(directory, country, institution),
    })),
  };
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
