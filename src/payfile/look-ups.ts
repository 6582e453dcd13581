/**
 * Single questions to the service, the mappings that are remembered on this machine, and the template to fill in.
 */

import type { Flag } from '../domain/next-steps/command.ts';
import type { CellEdit } from '../domain/rows/cell-edit.ts';
import type { Country, Institution } from '../domain/rows/directory.ts';
import type { Mapping } from '../domain/rows/mapping.ts';
import type { Transaction } from '../ports/payment-service.ts';
import type { OpenRowsOptions } from '../ports/row-source.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findUnknownInstitutions, type UnknownInstitution } from '../use-cases/intake/check-file.ts';
import { withEdits } from '../use-cases/intake/edited-rows.ts';
import { loadDirectory } from '../use-cases/intake/read-rows.ts';
import {
  mappingNamed,
  requireMappingName,
  saveMapping,
  type WrittenValue,
} from '../use-cases/intake/save-mapping.ts';
import { makeTemplate, type Template } from '../use-cases/intake/template.ts';
import {
  type Asking,
  askAccountName,
  askProfile,
  askRate,
  askTransaction,
  countriesNamed,
  type HolderAnswer,
  listCountries,
  listInstitutions,
  type RateAnswer,
} from '../use-cases/look-up.ts';
import type { Door } from './door.ts';

export interface SaveMappingOptions extends Omit<OpenRowsOptions, 'path' | 'mappings'>, Dialogue {
  readonly values?: readonly WrittenValue[] | undefined;
  /** Where things stand in the file, as flags of a command that is shown to be typed. */
  readonly layout?: readonly Flag[] | undefined;
}

/** Where mappings are kept, beside what was asked for. */
export interface MappingsPlace {
  readonly place: string;
}

export interface UnknownOptions extends Omit<OpenRowsOptions, 'path' | 'mappings' | 'words'>, Dialogue {
  /** The file is read as if these corrections stood in it. */
  readonly edits?: readonly CellEdit[] | undefined;
}

export interface LookUpMethods {
  countries(dialogue?: Dialogue): Promise<readonly Country[]>;
  /** `country`: by name, ISO code or id. */
  institutions(
    country: string,
    dialogue?: Dialogue,
  ): Promise<{ readonly country: Country; readonly institutions: readonly Institution[] }>;
  /** The rate; with an amount what it would cost and how long it takes. */
  rate(
    question: { readonly from: string; readonly to: string; readonly amount?: string | undefined },
    dialogue?: Dialogue,
  ): Promise<{ readonly from: Country; readonly to: Country } & RateAnswer>;
  /** `institution`: an id, or COUNTRY/NAME. */
  accountName(
    question: { readonly institution: string; readonly account: string },
    dialogue?: Dialogue,
  ): Promise<HolderAnswer>;
  transaction(id: string, dialogue?: Dialogue): Promise<Transaction>;
  /** JSON text: the interface does not show its shape. */
  profile(dialogue?: Dialogue): Promise<string>;
  mappings(): Promise<MappingsPlace & { readonly mappings: readonly Mapping[] }>;
  mapping(name: string): Promise<MappingsPlace & { readonly mapping: Mapping }>;
  /** Names of institutions in a file that mean nothing to the service, each once; at most 1,000. Keeps nothing. */
  unknownInstitutions(
    path: string,
    options?: UnknownOptions,
  ): Promise<{
    readonly unknown: readonly UnknownInstitution[];
    /** The saved mapping that the file was recognised by. */
    readonly mapping: Mapping | undefined;
  }>;
  /** Saving again adds to a mapping. `unknown`: names of the file that still mean nothing. */
  saveMapping(
    name: string,
    path: string,
    options?: SaveMappingOptions,
  ): Promise<MappingsPlace & { readonly mapping: Mapping; readonly unknown: readonly UnknownInstitution[] }>;
  forgetMapping(name: string): Promise<MappingsPlace & { readonly forgotten: string }>;
  /** A workbook to fill in, with the service's own lists; without countries all of them. */
  template(
    path: string,
    options?: Dialogue & { readonly countries?: readonly string[] | undefined },
  ): Promise<Template>;
}

export function lookUpMethods(door: Door): LookUpMethods {
  const { parts } = door;
  const asking = async (dialogue: Dialogue): Promise<Asking> => {
    door.requireService();
    const paymentService = await parts.paymentService();
    return { paymentService, tell: door.tell(dialogue), signal: dialogue.signal };
  };
  return {
    countries: async (dialogue = {}) => listCountries(await asking(dialogue)),
    institutions: async (country, dialogue = {}) => listInstitutions(country, await asking(dialogue)),
    rate: async (question, dialogue = {}) => askRate(question, await asking(dialogue)),
    accountName: async (question, dialogue = {}) => askAccountName(question, await asking(dialogue)),
    transaction: async (id, dialogue = {}) => askTransaction(id, await asking(dialogue)),
    profile: async (dialogue = {}) => askProfile(await asking(dialogue)),
    ...mappingMethods(door, asking),
    async template(path, { countries, ...dialogue } = {}) {
      door.requireService();
      await parts.outputs.check(path, 'template');
      const questions = await asking(dialogue);
      const directory = await loadDirectory(questions, dialogue.signal);
      const wanted = countries === undefined ? directory.countries : countriesNamed(countries, directory);
      const made = await makeTemplate(directory, wanted, questions, dialogue.signal);
      const { environment } = door.settings;
      await parts.writeTemplate(path, { environment, madeAt: parts.clock.now(), countries: made.countries });
      return made;
    },
  };
}

type MappingMethods = Pick<
  LookUpMethods,
  'mappings' | 'mapping' | 'unknownInstitutions' | 'saveMapping' | 'forgetMapping'
>;

function mappingMethods(door: Door, asking: (dialogue: Dialogue) => Promise<Asking>): MappingMethods {
  const { parts, settings } = door;
  return {
    async mappings() {
      const store = await parts.mappings();
      return { mappings: await store.all(), place: store.place };
    },
    async mapping(name) {
      const store = await parts.mappings();
      return { mapping: await mappingNamed(name, store), place: store.place };
    },
    async saveMapping(name, path, { values = [], layout = [], signal, onProgress, ...open } = {}) {
      requireMappingName(name);
      door.requireService();
      await parts.requireFile(path);
      const store = await parts.mappings();
      const { environment } = settings;
      const { clock, openRows } = parts;
      const mappings = await door.savedMappings();
      const saver = { by: door.user, cameWith: door.cameWith };
      const asked = await asking({ signal, onProgress });
      const ports = { ...asked, clock, openRows, store, environment, saver };
      const request = { name, open: { ...open, path, mappings }, values, layout, signal };
      return { ...(await saveMapping(request, ports)), place: store.place };
    },
    async unknownInstitutions(path, { signal, onProgress, ask: _, edits, ...open } = {}) {
      door.requireService();
      await parts.requireFile(path);
      const mappings = await door.savedMappings();
      const request = { open: { ...open, path, mappings }, signal };
      const found = await findUnknownInstitutions(
        withEdits(parts.openRows, edits),
        request,
        await asking({ signal, onProgress }),
      );
      return { unknown: found.unknown, mapping: found.mapping };
    },
    async forgetMapping(name) {
      const store = await parts.mappings();
      const { name: forgotten } = await mappingNamed(name, store);
      await store.forget(forgotten);
      return { forgotten, place: store.place };
    },
  };
}
