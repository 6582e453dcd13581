/**
 * Collects what a template offers: the service's countries and institutions as they are now, each under a
 * text that finds exactly it when the filled-in file is read.
 *
 * Errors:  ServiceUnavailable when a list cannot be had.
 */
import {
  type Country,
  type Directory,
  type Institution,
  institutionLabelOf,
  labelOf,
} from '../../domain/rows/directory.ts';
import type { TemplateContent, TemplateCountry } from '../../ports/outputs.ts';
import type { Ports } from '../ports.ts';
import { addInstitutions, ServiceUnavailable } from './read-rows.ts';

export interface Template extends Pick<TemplateContent, 'countries'> {
  /** The service lists nobody there who could be paid; left out. */
  readonly empty: readonly Country[];
}

/** `countries`: which of the directory; their institutions are asked for. */
export async function makeTemplate(
  directory: Directory,
  countries: readonly Country[],
  ports: Pick<Ports, 'paymentService' | 'tell'>,
  signal?: AbortSignal,
): Promise<Template> {
  const filled: TemplateCountry[] = [];
  const empty: Country[] = [];
  for (const country of byName(countries)) {
    signal?.throwIfAborted();
    const asked = await ports.paymentService.institutions(country.id, signal);
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
