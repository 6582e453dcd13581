/**
 * Where an input template goes: a workbook with the service's own lists in its drop-downs.
 *
 * Promises: nothing that stands under the name already is replaced; the file appears whole or not at all.
 * Errors:   ReportUnwritable.
 */
import type { Country, Institution } from '../domain/country.ts';
import type { Timestamp } from '../domain/timestamp.ts';

export interface TemplateContent {
  readonly environment: 'live' | 'sandbox';
  /** When the lists were asked for. */
  readonly madeAt: Timestamp;
  /** In the order in which they are shown. */
  readonly countries: readonly TemplateCountry[];
}

export interface TemplateCountry {
  readonly country: Country;
  /** What to write in a cell so that exactly this country is found: its name, or its ISO code. */
  readonly label: string;
  readonly institutions: readonly TemplateInstitution[];
}

export interface TemplateInstitution {
  readonly institution: Institution;
  /** What to write in a cell so that exactly this institution is found: its name, or its id. */
  readonly label: string;
}

/** A path, or `-` for standard output. */
export type WriteTemplate = (path: string, content: TemplateContent) => Promise<void>;
