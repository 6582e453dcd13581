/**
 * Text that only who knows the service's password can read: a copy of the ledger gives nobody a session.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { Sensitive } from '../../../../domain/text/sensitive.ts';

export interface Seal {
  /** `about` is no secret, and must be the same when it is opened. */
  close(text: string, about: string): Uint8Array;
  /** undefined: sealed with another password, about something else, or changed. */
  open(sealed: Uint8Array, about: string): string | undefined;
}

export const SALT_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];
// About a tenth of a second and 32 MB, once a process: who has a copy must not try passwords fast.
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export async function sealOf(password: Sensitive, salt: Uint8Array): Promise<Seal> {
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password.reveal(), salt, KEY_BYTES, COST, (error, made) =>
      error === null ? resolve(made) : reject(error),
    ),
  );
  return {
    close(text, about) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed, about) {
      const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
      try {
        const options = { authTagLength: TAG_BYTES };
        const decipher = createDecipheriv(CIPHER, key, iv, options)
          .setAAD(Buffer.from(about))
          .setAuthTag(tag);
        const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
