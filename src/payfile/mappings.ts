/** The mappings that are remembered on this machine, and the names in a file that need one. */
import type { Flag } from '../domain/next-steps/command.ts';
import type { CellEdit } from '../domain/rows/cell-edit.ts';
import type { Mapping } from '../domain/rows/mapping.ts';
import type { OpenRowsOptions } from '../ports/row-source.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findUnknownInstitutions, type UnknownInstitution } from '../use-cases/intake/check-file.ts';
import { withEdits } from '../use-cases/intake/edited-rows.ts';
import {
  mappingNamed,
  requireMappingName,
  saveMapping,
  type WrittenValue,
} from '../use-cases/intake/save-mapping.ts';
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

export interface MappingMethods {
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
}

export function mappingMethods(door: Door): MappingMethods {
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
      const asked = await door.asking({ signal, onProgress });
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
        await door.asking({ signal, onProgress }),
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
