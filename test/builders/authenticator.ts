/**
 * An authenticator in software: it makes passkeys and signs as a browser on localhost does. What it says can be bent, so
 * that tests can tell whether anybody looks.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { CreationOptions, RequestOptions } from '../../src/domain/people/passkey.ts';

export interface Bent {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  /** As of a page that stands inside a page of another site. */
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** The person touched it and did not show who it is. */
  readonly isUnverified?: boolean;
}

export interface Authenticator {
  readonly credentialId: string;
  make(options: CreationOptions, origin: string, bent?: Bent): string;
  sign(options: RequestOptions, origin: string, bent?: Bent): string;
}

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

export function anAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const credentialId = url(id);
  const clientData = (type: string, asked: { challenge: string; origin: string }, bent: Bent) => {
    const { challenge, origin } = { ...asked, ...bent };
    const { crossOrigin = false, topOrigin } = bent;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin, topOrigin }));
  };
  return {
    credentialId,
    make({ challenge }, origin, bent = {}) {
      const clientDataJSON = url(clientData('webauthn.create', { challenge, origin }, bent));
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseOf(publicKey)]);
      const authData = Buffer.concat([authenticatorData(bent, 0x40), attested]);
      const attestationObject = url(
        cborMap([
          [cborText('fmt'), cborText('none')],
          [cborText('attStmt'), cborMap([])],
          [cborText('authData'), cborBytes(authData)],
        ]),
      );
      const response = { clientDataJSON, attestationObject, transports: ['internal'] };
      return answerOf(credentialId, response);
    },
    sign({ challenge }, origin, bent = {}) {
      const data = clientData('webauthn.get', { challenge, origin }, bent);
      const authData = authenticatorData(bent, 0);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      const response = {
        clientDataJSON: url(data),
        authenticatorData: url(authData),
        signature: url(signature),
      };
      return answerOf(credentialId, response);
    },
  };
}

function answerOf(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
}

/** Hash of the host, flags (present 1, verified 4), and a counter that stays 0. */
function authenticatorData({ host = 'localhost', isUnverified = false }: Bent, more: number): Buffer {
  return Buffer.concat([sha256(host), Buffer.from([(isUnverified ? 0x01 : 0x05) | more]), Buffer.alloc(4)]);
}

/** COSE: a key of P-256 for ECDSA with SHA-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => cborBytes(Buffer.from(text, 'base64url'));
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), bytes(x)],
    [Buffer.from([0x22]), bytes(y)],
  ]);
}

function cborMap(pairs: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + pairs.length]), ...pairs.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
