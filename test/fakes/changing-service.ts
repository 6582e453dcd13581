/**
 * A payment service whose every answer a test can change between two commands: rates, fees, names of countries, institutions
 * and holders, and what becomes of transfers. Its book has each transfer as it came on the wire, and what it cost.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/ports/clock.ts';

export interface CountryListed {
  readonly id: string;
  readonly name: string;
  readonly iso: string;
  readonly phone: string;
}

export interface InstitutionListed {
  readonly id: string;
  readonly name: string;
  readonly Currency: string;
}

/** One executed transfer. */
export interface Paid {
  readonly id: string;
  readonly source: string;
  readonly destination: string;
  readonly institution: string;
  /** What the two ids meant when it came. */
  readonly countryName: string;
  readonly institutionName: string;
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  /** As it was written, in the destination currency. */
  readonly amount: string;
  readonly note: string;
  /** In hundredths of the source currency, fee included; and the fee alone. */
  readonly debit: number;
  readonly fee: number;
  readonly isAnswerLost: boolean;
  readonly at: number;
}

/** What becomes of a transfer. */
type Fate = 'accepted' | 'refused' | 'answer_lost' | 'unpaid_answer_lost';

/** What a look-up shows in the place of what was paid. */
type Shown = Partial<{ Status: string; amount: string; receiver: string; Bank: string; destination: string }>;

export interface ChangingService {
  readonly env: Readonly<Record<string, string>>;
  /** Each executed transfer, in order. */
  readonly book: readonly Paid[];
  /** Every question and order, by its path: `rates/ZA/GH/50.00`. */
  readonly asked: readonly string[];
  countries: readonly CountryListed[];
  /** By the id of the country. */
  institutions: Readonly<Record<string, readonly InstitutionListed[]>>;
  /** Units of the destination currency for one of the source currency. */
  rate: number;
  /** The rate of an amount in the destination currency. */
  rateOf: (amount: number) => number;
  /** In the source currency, for an amount in the destination currency. */
  fee: (amount: number) => number;
  /** undefined: the service knows no such account. */
  holder: (account: string, institution: string) => string | undefined;
  /** Questions that get no usable answer: `fisit/gh-1/0244123456`. */
  isUnanswered: (path: string) => boolean;
  /** Questions that the service declines to answer. */
  isDeclined: (path: string) => boolean;
  fate: (account: string, nth: number) => Fate;
  shown: (paid: Paid) => Shown;
  /** Called after a transfer was executed, before it is answered. */
  afterPaying: (paid: Paid) => void | Promise<void>;
  close(): Promise<void>;
}

export const GHANA: CountryListed = { id: 'GH', name: 'Ghana', iso: 'GH', phone: '233' };
export const KENYA: CountryListed = { id: 'KE', name: 'Kenya', iso: 'KE', phone: '254' };
const SOUTH_AFRICA: CountryListed = { id: 'ZA', name: 'South Africa', iso: 'ZA', phone: '27' };
export const GCB: InstitutionListed = { id: 'gh-1', name: 'GCB Bank', Currency: 'GHS' };
export const MOMO: InstitutionListed = { id: 'gh-2', name: 'MTN Mobile Money', Currency: 'GHS' };
const MPESA: InstitutionListed = { id: 'ke-1', name: 'M-Pesa', Currency: 'KES' };

/** ZAR 1 is GHS 2, KES 2 …; a transfer costs ZAR 1. */
export async function startChangingService({ now }: Pick<Clock, 'now'>): Promise<ChangingService> {
  const book: Paid[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (text) => {
      const { url = '' } = request;
      if (service.isUnanswered(url.slice(1))) return void response.writeHead(503).end();
      const answer = await answerTo(url, text);
      if (answer === undefined) return void response.destroy();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: ChangingService = {
    env: {
      PAYFILE_BASE_URL: origin,
      PAYFILE_AUTH_URL: `${origin}/auth`,
      PAYFILE_ID: 'shop',
      PAYFILE_PASSWORD: 'a password',
      PAYFILE_SOURCE: 'ZA',
    },
    book,
    asked,
    countries: [SOUTH_AFRICA, GHANA, KENYA],
    institutions: { GH: [GCB, MOMO], KE: [MPESA] },
    rate: 2,
    rateOf: () => service.rate,
    fee: () => 1,
    holder: () => undefined,
    isUnanswered: () => false,
    isDeclined: () => false,
    fate: () => 'accepted',
    shown: () => ({}),
    afterPaying: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function answerTo(url: string, text: string): unknown {
    const [endpoint = '', ...parts] = url.slice(1).split('/').map(decodeURIComponent);
    asked.push(url.slice(1));
    const [first = '', second = '', third = ''] = parts;
    if (service.isDeclined(url.slice(1))) return bad(61, 'Not available today');
    if (endpoint === 'auth') return good(session());
    if (endpoint === 'countries') return good(service.countries.map((one) => ({ ...one, rate: 1 })));
    if (endpoint === 'fis') return good(listed(first));
    if (endpoint === 'rates') return good(third === '' ? { rate: service.rate } : estimate(Number(third)));
    if (endpoint === 'profile') return good({ id: 'shop' });
    if (endpoint === 'transfer') return transfer(JSON.parse(text));
    if (endpoint === 'transaction') return lookUp(first);
    const name = endpoint === 'fisit' ? service.holder(second, first) : undefined;
    return name === undefined ? bad(34, 'Account name not found') : good({ name });
  }

  const session = () => ({ id: 'shop', token: `t-${now()}`, expiry: stamp(now() + 3_600_000) });
  const listed = (country: string) =>
    (service.institutions[country] ?? []).map((one) => ({ ...one, Logo: '', Charges: 0 }));
  const estimate = (amount: number) => ({
    rate: service.rateOf(amount),
    speed: 1,
    fees: service.fee(amount),
  });

  async function transfer(body: Readonly<Record<string, string | number>>): Promise<unknown> {
    const text = (field: string) => String(body[field] ?? '');
    const account = text('AccountNo');
    const fate = service.fate(account, book.length + 1);
    if (fate === 'refused') return bad(51, 'The receiving institution declined the transfer');
    if (fate === 'unpaid_answer_lost') return undefined;
    const amount = Number(text('Amount'));
    const paid: Paid = {
      id: `tr-${book.length + 1}`,
      source: text('Source'),
      destination: text('Destination'),
      institution: text('Fi'),
      countryName: service.countries.find(({ id }) => id === text('Destination'))?.name ?? '',
      institutionName: listed(text('Destination')).find(({ id }) => id === text('Fi'))?.name ?? '',
      account,
      name: text('Name'),
      phone: text('Phone'),
      amount: text('Amount'),
      note: text('Note'),
      debit: Math.round((amount / service.rateOf(amount) + service.fee(amount)) * 100),
      fee: Math.round(service.fee(amount) * 100),
      isAnswerLost: fate === 'answer_lost',
      at: now(),
    };
    book.push(paid);
    await service.afterPaying(paid);
    return fate === 'answer_lost' ? undefined : good({ id: paid.id });
  }

  function lookUp(id: string): unknown {
    const paid = book.find((one) => one.id === id);
    if (paid === undefined) return bad(60, 'Transaction not found');
    const { amount, name: receiver, institutionName: Bank, countryName: destination } = paid;
    const shown = { Status: 'Finished', amount, receiver, Bank, destination, ...service.shown(paid) };
    return good({ ...shown, id, amount: Number(shown.amount), Date: `${stamp(paid.at).slice(0, 16)}am` });
  }
  return service;
}

const good = (data: unknown) => ({ status: 'Success', data, message: 'OK', code: 0 });
const bad = (code: number, message: string) => ({ status: 'failed', data: {}, message, code });

function stamp(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
