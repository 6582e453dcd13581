/**
 * The eight endpoints that move no money, answered well enough for a whole run: GB pays to GH and KE, everyone is
 * called AMA MENSAH, every executed transfer is Finished.
 */
import { formatStamp } from '../../../src/contract/wire-date.ts';
import { envelope, json } from '../scripted-service.ts';
import type { Book } from './book.ts';

export interface Asked {
  readonly method: string;
  /** Below the prefix: `/fis/c-gh`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sessions {
  readonly tokens: Set<string>;
  readonly tokenSeconds: number;
}

const COUNTRIES = [
  { id: 'c-gb', name: 'United Kingdom', phone: '44', iso: 'GB', rate: 1 },
  { id: 'c-gh', name: 'Ghana', phone: '233', iso: 'GH', rate: 15.5 },
  { id: 'c-ke', name: 'Kenya', phone: '254', iso: 'KE', rate: 165 },
];
const institution = (id: string, name: string, Currency: string) => ({
  id,
  name,
  Logo: '',
  Charges: 0,
  Currency,
});
const INSTITUTIONS: Readonly<Record<string, readonly object[]>> = {
  'c-gb': [institution('i-gb', 'Bank of Somewhere', 'GBP')],
  'c-gh': [institution('i-gcb', 'GCB Bank', 'GHS'), institution('i-mtn', 'MTN Mobile Money', 'GHS')],
  'c-ke': [institution('i-mpesa', 'M-Pesa', 'KES')],
};

const good = (data: unknown) =>
  json(200, envelope('success', 0, data, 'ok'), { Date: new Date().toUTCString() });
const bad = (httpStatus: number, message: string) => json(httpStatus, envelope('failed', 44, {}, message));

/** The bytes of the answer to a question or a login. */
export function answerTo(asked: Asked, book: Book, sessions: Sessions): string {
  const [, first = '', second = '', third, fourth] = asked.path.split('/').map(decodeURIComponent);
  if (asked.method === 'POST' && first === 'login') return login(sessions);
  if (!isLoggedIn(asked.headers, sessions)) return json(401, envelope('failed', 1, {}, 'please log in'));
  switch (first) {
    case 'countries':
      return good(COUNTRIES);
    case 'fis':
      return good(INSTITUTIONS[second] ?? []);
    case 'fisit':
      return good({ name: 'AMA MENSAH' });
    case 'rates': {
      const rate = third === 'c-ke' ? 165 : 15.5;
      // Nobody has to wait before the first look at a transfer: it is finished when it is answered.
      return good(fourth === undefined ? { rate } : { rate, speed: 0, fees: 0.01 });
    }
    case 'profile':
      return good({ name: 'Fault server' });
    case 'transaction':
      return transaction(second, book);
    default:
      return bad(404, 'no such endpoint');
  }
}

export function isLoggedIn(headers: Asked['headers'], { tokens }: Sessions): boolean {
  return tokens.has(headers['token'] ?? '');
}

export function accepted(transferId: string): string {
  return json(200, envelope('success', 0, { id: transferId }, 'transfer posted'));
}

function login({ tokens, tokenSeconds }: Sessions): string {
  const token = `fault-token-${tokens.size + 1}`;
  tokens.add(token);
  const expiry = formatStamp(Date.now() + tokenSeconds * 1000, 0);
  return good({ token, id: 'owner-1', expiry });
}

function transaction(id: string, book: Book): string {
  const posted = book.transfer(id);
  if (posted === undefined) return bad(404, 'no such transaction');
  return good({
    id,
    amount: Number(posted.amount),
    receiver: posted.name,
    Date: '25/05/2026 06:00 am',
    Status: 'Finished',
    Bank: 'GCB Bank',
    destination: 'Ghana',
  });
}
