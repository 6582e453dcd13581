/**
 * Where mappings are remembered on this machine, for all files of this user.
 *
 * Promises: a change is there whole or not at all.
 * Errors:   MappingsUnusable when what is kept cannot be understood or written; nothing is then ignored silently.
 */
import type { Mapping } from '../domain/mapping.ts';

export interface MappingStore {
  /** By name. */
  all(): Promise<readonly Mapping[]>;
  /** In the place of one with the same name. */
  save(mapping: Mapping): Promise<void>;
  /** false: there was none. */
  forget(name: string): Promise<boolean>;
  /** Where they are, for the person. */
  readonly place: string;
}

/** Exit code 78. */
export class MappingsUnusable extends Error {
  override readonly name = 'MappingsUnusable';
  readonly code = 'mappings_unusable';
}
