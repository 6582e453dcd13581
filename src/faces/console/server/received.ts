/**
 * What a visit uploads, when it is its turn: each file that arrives takes a descriptor and up to its whole size on disk.
 */
import type { Visit } from './route.ts';
import type { Upload } from './uploads.ts';

/** Errors: FormRefused, TooManyAtOnce. */
export function received({ desk, by, upload }: Visit): Promise<Upload> {
  return desk.arriving.take(by?.person.id ?? '', upload);
}
