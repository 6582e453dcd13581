/**
 * A shop in a story: a live service with a book of its own, an office with the whole command line, and time that can pass
 * for both at once.
 */
import {
  clock,
  type Ended,
  type LiveService,
  type Office,
  openOffice,
  startLiveService,
} from '../builders/office.ts';

export interface Shop {
  readonly office: Office;
  readonly service: LiveService['sandbox'];
  /** One line per request that reached the service. */
  readonly requests: readonly string[];
  /** The command, as a person or cron types it; the first one, plan or run, makes the ledger. */
  payfile(...words: string[]): Promise<Ended>;
  /** `run FILE --batch NAME` with a ceiling above all that the stories pay. */
  run(file: string, name: string, ...more: string[]): Promise<Ended>;
  /** Hours pass for everybody. */
  later(hours: number): void;
  /** From now on the service says this of every transfer that went to the account. */
  says(account: string, status: string): void;
  /** How many transfers each account received, by the service's own book. */
  received(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export async function openShop(config: Readonly<Record<string, unknown>> = {}): Promise<Shop> {
  const live = await startLiveService();
  const office = openOffice(live.env);
  office.configure(config);
  const { sandbox: service, requests } = live;
  const payfile = withNewLedger(office);
  return {
    ...{ office, service, requests, payfile },
    run: (file, name, ...more) => payfile(...runWords(file, name), ...more),
    later: (hours) => clock.advance(hours * 3_600_000),
    says(account, status) {
      const mine = service.book.entries().filter((entry) => entry.account === account);
      for (const entry of mine) Object.assign(entry, { transitions: [{ status, at: entry.at }] });
    },
    received: () => receivedBy(service.book.entries().map(({ account }) => account)),
    async close() {
      office.close();
      await service.close();
    },
  };
}

/** The first command makes the ledger. */
export function withNewLedger(office: Office): Office['payfile'] {
  let first = ['--new-ledger'];
  return (...words) => {
    const ended = office.payfile(...words, ...first);
    first = [];
    return ended;
  };
}

export const runWords = (file: string, name: string): string[] => [
  ...['run', file, '--batch', name],
  ...['--max-total', 'GHS=99999', '--concurrency', '1'],
];

function receivedBy(accounts: readonly string[]): Record<string, number> {
  const received: Record<string, number> = {};
  for (const account of accounts) received[account] = (received[account] ?? 0) + 1;
  return received;
}

/** What a person reads, without the line breaks of a terminal. */
export const toldIn = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`.replace(/\s+/g, ' ');
