/**
 * A service whose book can be kept and taken up again, always at the same address, because a ledger is bound to it.
 * It has one country and one institution; the last two digits of an account say what it does with a transfer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Below the ports that systems give away by themselves. */
const PORT = 27_614;
const ORIGIN = `http://127.0.0.1:${PORT}`;
export const SERVICE_ENV = {
  PAYFILE_BASE_URL: `${ORIGIN}/v1`,
  PAYFILE_AUTH_URL: `${ORIGIN}/auth`,
  PAYFILE_ID: 'acme-payroll',
  PAYFILE_PASSWORD: 'canary-password-1',
  PAYFILE_SOURCE: 'GB',
};

export interface Executed {
  readonly id: string;
  readonly account: string;
  readonly amount: string;
  readonly note: string;
  readonly name: string;
}

export interface KeptService {
  /** What moved money, oldest first. */
  readonly book: readonly Executed[];
  /** Resolves when a request about this account has come that gets no answer. */
  silent(account: string): Promise<void>;
  /** From now on every transfer works, and what was on its way is finished. */
  mend(): void;
  close(): void;
}

/** What becomes of a transfer to an account that ends so; any other works and finishes. */
const DOES: Readonly<
  Record<string, 'refused' | 'refused_once' | 'lost_after' | 'lost_before' | 'silent_after' | 'silent_before'>
> = {
  '21': 'refused',
  '22': 'refused_once',
  '31': 'lost_after',
  '32': 'lost_before',
  '33': 'silent_after',
  '34': 'silent_before',
};
const WORDS: Readonly<Record<string, string>> = { '11': 'Processing', '12': 'Failed', '13': 'Reversed' };
const MENDED: Readonly<Record<string, string>> = { ...WORDS, '11': 'Finished' };
const FIRST = ['Ama', 'Kofi', 'Yaa', 'Kwame', 'Esi', 'Yaw', 'Efua', 'Kojo', 'Adwoa', 'Kwaku'];
const MIDDLE = ['Serwaa', 'Nana', 'Abena', 'Papa', 'Afia', 'Osei', 'Akosua', 'Fiifi', 'Dede', 'Tetteh'];
const LAST = ['Mensah', 'Owusu', 'Boateng', 'Asante', 'Darko', 'Addo', 'Quaye', 'Lartey', 'Ofori', 'Annan'];

const digitsOf = (account: string) => account.replace(/\s/g, '');
const endOf = (account: string) => digitsOf(account).slice(-2);

/** Whose account it is, by its last three digits. `41` is nobody's, `42` gets no answer, `43` is somebody else's. */
export function personOf(account: string): string {
  const [first = 0, middle = 0, last = 0] = [...digitsOf(account).slice(-3)].map(Number);
  return `${FIRST[first]} ${MIDDLE[middle]} ${LAST[last]}`;
}

/** At an address that is held; the one before it is gone. */
export function startKeptService(server: Server, before: readonly Executed[] = []): KeptService {
  const book: Executed[] = [...before];
  const refused = new Set<string>();
  const silences = new Map<string, () => void>();
  const silent = (account: string) => new Promise<void>((resolve) => silences.set(account, resolve));
  let isMended = false;
  const yes = (data: unknown, more: object = {}) => ({
    status: 'success',
    code: '0',
    message: 'OK',
    data,
    ...more,
  });
  const no = (message: string) => ({ status: 'failed', code: '51', message, data: {} });

  /** undefined: no answer; 'break': the connection ends. */
  function transfer(body: Readonly<Record<string, unknown>>): object | 'break' | undefined {
    const account = String(body['AccountNo']);
    const does = isMended ? undefined : DOES[endOf(account)];
    if (does === 'refused' || (does === 'refused_once' && !refused.has(account))) {
      refused.add(account);
      return no('The account is closed.');
    }
    if (does !== 'lost_before' && does !== 'silent_before') {
      const id = `KS-${1_001 + book.length}`;
      const { Amount, Note, Name } = body;
      book.push({ id, account, amount: String(Amount), note: String(Note), name: String(Name) });
    }
    if (does?.startsWith('silent')) silences.get(account)?.();
    if (does?.startsWith('silent')) return undefined;
    return does?.startsWith('lost') ? 'break' : yes({ id: book.at(-1)?.id }, { fetched: stamp(Date.now()) });
  }

  function name(account: string): object | undefined {
    const end = endOf(account);
    if (end === '41') return no('No such account.');
    if (end !== '42' || isMended) return yes({ name: end === '43' ? 'Somebody Else' : personOf(account) });
    silences.get(account)?.();
    return undefined;
  }

  function transaction(id: string): object {
    const found = book.find((one) => one.id === id);
    if (found === undefined) return no('No such transfer.');
    const Status = (isMended ? MENDED : WORDS)[endOf(found.account)] ?? 'Finished';
    const Date_ = `${stamp(Date.now()).slice(0, 16)}pm`;
    const { amount, name: receiver } = found;
    return yes({
      id,
      amount: Number(amount),
      receiver,
      Date: Date_,
      Status,
      Bank: 'MTN MoMo',
      destination: 'Ghana',
    });
  }

  function answer(path: string, body: Readonly<Record<string, unknown>>): object | 'break' | undefined {
    const [, part, first = '', second = ''] = path.split('/').slice(1);
    if (path === '/auth/login')
      return yes({ token: 'kept-token', id: '7', expiry: stamp(Date.now() + 3_600_000) });
    if (part === 'transfer') return transfer(body);
    if (part === 'transaction') return transaction(first);
    if (part === 'fisit') return name(second);
    if (part === 'profile') return yes({});
    if (part === 'countries') return yes(COUNTRIES);
    if (part === 'fis') return yes([{ id: '301', name: 'MTN MoMo', Logo: '', Charges: 0, Currency: 'GHS' }]);
    return yes({ rate: 15.25, speed: 0, fees: 0.99 }, { fetched: stamp(Date.now()) });
  }

  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const said = answer(decodeURIComponent(request.url ?? ''), body);
      if (said === 'break') request.socket.destroy();
      else if (said !== undefined)
        response
          .writeHead(200, { connection: 'close', date: new Date().toUTCString() })
          .end(JSON.stringify(said));
    });
  });
  return {
    book,
    silent,
    mend: () => {
      isMended = true;
    },
    close: () => server.closeAllConnections(),
  };
}

const COUNTRIES = [
  { id: '826', name: 'United Kingdom', phone: '44', iso: 'GB', rate: 1 },
  { id: '288', name: 'Ghana', phone: '233', iso: 'GH', rate: 15.25 },
];

function stamp(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
}

/** The address, until it is let go with `close`; waits as long as another test has it. */
export async function holdAddress(): Promise<Server> {
  for (;;) {
    const server = createServer();
    const isHeld = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(PORT, '127.0.0.1', () => resolve(true));
    });
    if (isHeld) return server;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
