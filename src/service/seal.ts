/**
 * Text that only a process with the service's password can read: a copy of the ledger gives nobody a session.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { Sensitive } from '../domain/text/sensitive.ts';

export interface Seal {
  /** `about` is no secret. The same one opens the text. */
  close(text: string, about: string): string;
  /** undefined: sealed with another password, about something else, or changed. */
  open(sealed: string, about: string): string | undefined;
}

/** For a text that never leaves the process. */
export const NO_SEAL: Seal = { close: (text) => text, open: (sealed) => sealed };

const SALT_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];
// About a tenth of a second and 32 MB, once a process: who has a copy must not try passwords fast.
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64');

export async function sealWith(password: Sensitive, salt: string): Promise<Seal> {
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password.reveal(), Buffer.from(salt, 'base64'), KEY_BYTES, COST, (error, made) =>
      error === null ? resolve(made) : reject(error),
    ),
  );
  return {
    close(text, about) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64');
      const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
      try {
        const options = { authTagLength: TAG_BYTES };
        const decipher = createDecipheriv(CIPHER, key, iv, options)
          .setAAD(Buffer.from(about))
          .setAuthTag(tag);
        const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
