/**
 * Puts text from outside on every page: cells, headers, reasons, evidence, addresses, and names of files, batches
 * and readings. It also puts text into a statement and into answers of the service.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { REPORT_KINDS } from '../../src/console/reports/report-file.ts';
import { ROUTES } from '../../src/console/routes.ts';
import { run } from '../../src/operations/run.ts';
import type { Payfile, PayfileOptions } from '../../src/payfile.ts';
import { COUNTRIES } from '../../src/sandbox/directory.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { aPlace, ROWS } from '../builders/doubtful-batch.ts';
import { approvePlan, planFile, priceBatch, saveReading } from '../builders/library-calls.ts';

const EVIL = `"'><img src=x onerror=window.pwned=1><svg onload=window.pwned=1> onmouseover=window.pwned=1 javascript:window.pwned=1 \u202e\u0007\u2028 ${'W'.repeat(400)}`;
/** Where a line, a path or a short name is taken. */
const SHORT = '"><img src=x onerror=window.pwned=1>';
/** A batch begins with a letter or digit. */
const NAME = `x${SHORT}`;
export const MARK = 'onerror=window.pwned=1';
const AT = encodeURIComponent(SHORT);

/** Where each page is, and whether text from outside has to be seen there; a GET route that is not here fails. */
export const PAGES: Readonly<Record<string, readonly [at: string, isMet: boolean]>> = {
  '/assets/:name': [`/assets/${AT}`, false],
  '/enter/:ticket': [`/enter/${AT}`, false],
  '/enter': ['/enter', false],
  '/passkeys/:ticket': ['TICKET', false],
  '/people': ['/people', false],
  '/left': ['/left', false],
  '/': ['/', true],
  '/batches/:batch': [`/batches/BATCH?search=${AT}&status=${AT}&after=${AT}`, true],
  '/batches/:batch/plan': ['/batches/WAITING/plan', true],
  '/new': ['/new', true],
  '/lists': [`/lists?country=${AT}`, true],
  '/uploads/:upload': [`UPLOAD?show=${AT}`, true],
  '/batches/:batch/held': ['/batches/WAITING/held', true],
  '/batches/:batch/history': ['/batches/BATCH/history', true],
  '/batches/:batch/reports': ['/batches/BATCH/reports', true],
  '/reports': [`/reports?from=${AT}&to=${AT}`, true],
  '/sandbox-statement.csv': [`/sandbox-statement.csv?x=${AT}`, false],
  '/health': ['/health', false],
  '/batches/:batch/statement': ['STATEMENT', true],
  '/batches/:batch/rows/:row': [`/batches/BATCH/rows/${ROWS.held}`, true],
};

const BANK =
  COUNTRIES.find(({ iso }) => iso === 'GH')?.institutions.find(({ name }) => name === 'GCB Bank')?.id ?? '';
/** Downloaded, and never shown by the browser. */
export const FILES = ROUTES.filter(({ method }) => method === 'GET')
  .map(({ path }) => path)
  .filter((path) => /\.(xlsx|csv|json|xml|html)$/.test(path) && PAGES[path] === undefined);
/** Of a batch in each form, and of days. */
export const REPORTS = [
  ...REPORT_KINDS.map(({ format }) => `batch=BATCH&format=${format}`),
  'from=2020-01-01&to=2099-12-31&format=csv',
].map((query) => `/report?${query}`);

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const FILE = `Reference,Country,Institution,Account,Name,Amount,${cell(SHORT)}
D-1,GH,${BANK},1011130024501,,100.00,${cell(EVIL)}
${cell(EVIL.slice(0, 60))},GH,${BANK},1011130990002,${cell(SHORT)},200.00,x
D-3,GH,${BANK},1011130990030,${cell(SHORT)},300.00,x
D-4,GH,${BANK},1011130990031,${cell(SHORT)},400.00,x
`;
const FAULTY = `Reference,Country,Institution,Account,Name,Amount,${cell(SHORT)}
${cell(EVIL)},Ghana,${cell(EVIL)},${cell(EVIL)},${cell(EVIL)},${cell(EVIL)},x
D-9,GH,${BANK},1011130024501,,100.00,x
`;

/** The sandbox, whose every name and message has something in it. */
async function aHostileService() {
  const sandbox = await startSandbox({ speedFactor: 1_000 });
  const server = createServer(async (request, answer) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const {
        host: _,
        connection: _c,
        'content-length': _l,
        ...headers
      } = request.headers as Record<string, string>;
      const to = new URL(request.url ?? '/', sandbox.baseUrl);
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const got = await fetch(to, { method: request.method ?? 'GET', headers, ...body });
      const text = (await got.text()).replaceAll(
        /("(?:name|message|receiver|bank|destination)": ?"(?:[^"\\]|\\.)+)"/gi,
        (_, before: string) => `${before} ${JSON.stringify(EVIL).slice(1)}`,
      );
      answer.writeHead(got.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const there = (url: string) => url.replace(new URL(url).origin, origin);
  return { baseUrl: there(sandbox.baseUrl), authUrl: there(sandbox.authUrl), ...sandbox.credentials };
}

/** Uploads a file to the form at an address, and returns the next address. */
type Upload = (at: string, name: string, text: string) => Promise<string>;

interface Opened {
  readonly payfile: Payfile;
  readonly upload: Upload;
}

/** The console takes the service for a live one. `open` starts a console and signs ada in. */
export async function aHostileConsole<Console extends Opened>(
  open: (options: Partial<PayfileOptions>) => Promise<Console>,
): Promise<Console & { readonly addressOf: (at: string) => string }> {
  const place = aPlace(FILE);
  const service = await aHostileService();
  const people = { eve: ['approver'] } as const;
  const opened = await open({
    ...{ sandbox: false, service, ledger: place.ledger, createLedger: true, people },
  });
  const { payfile, upload } = opened;
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  await payfile.call(run, { file: place.file, batch: NAME, consent, deadline: 0 });
  await payfile.rows.release({ batch: NAME, all: true, reason: EVIL });
  await priceBatch(payfile, NAME);
  await approvePlan(payfile, NAME, (await stateOf(payfile, NAME)).plan?.digest ?? '');
  await payfile.send({ batch: NAME });
  await payfile.batches.pause({ batch: NAME, reason: EVIL });
  await saveReading(payfile, 'ours', place.file, {
    value: [{ written: `GH/${SHORT}`, means: BANK }],
  });
  const june = await planFile(payfile, aPlace(FILE.replaceAll('D-', 'E-')).file, { batch: 'june' });
  const [batch] = (await batchesOf(payfile)).filter(({ name }) => name === NAME);
  const narrated = `Date,Amount,Narration\n2026-05-01,20.00,${cell(EVIL)}\n2026-05-02,30.00,${cell(SHORT)}\n`;
  const { ticket } = await payfile.people.invite({ person: 'eve' });
  const places: Readonly<Record<string, string>> = {
    UPLOAD: await upload('/new', `${SHORT}.csv`, FAULTY),
    STATEMENT: await upload(`/batches/${batch?.id}/statement`, `${SHORT}.csv`, narrated),
    TICKET: `/passkeys/${ticket}`,
    BATCH: batch?.id ?? '',
    WAITING: june.batch.id,
  };
  const addressOf = (at: string) =>
    at.replace(/UPLOAD|STATEMENT|TICKET|BATCH|WAITING/, (name) => places[name] ?? '');
  return { ...opened, addressOf };
}
