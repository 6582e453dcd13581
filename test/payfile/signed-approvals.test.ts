/** A signed approval is checked again from the journal: whoever writes the whole chain anew cannot write the signature anew. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headOf, lineText, sealOf } from '../../src/ledger/chain.ts';
import { createPayfile } from '../../src/payfile.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { stateOf } from '../builders/batch-state.ts';
import { approvePlan, planFile } from '../builders/library-calls.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const ORIGIN = 'http://localhost:4870';
const PEOPLE = { eve: ['approver'] } as const;
const clock = createBriskClock().withPauses(60_000);

let folder: string;
const whole = () => join(folder, 'whole.db');
const opened = (path: string, home: string) =>
  createPayfile(
    { sandbox: true, ledger: path, actor: 'ada', source: 'GB', people: PEOPLE },
    { env: { HOME: join(folder, home) }, clock },
  );

/** Two batches that eve approved with her passkey. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-signed-'));
  const ada = opened(whole(), 'home');
  const eve = ada.as('eve');
  const { ticket } = await ada.people.invite({ person: 'eve' });
  const key = anAuthenticator();
  await ada.people.register({
    ticket,
    answer: key.make((await ada.people.registration({ ticket })).options, ORIGIN),
    origin: ORIGIN,
  });
  for (const batch of ['may', 'june']) {
    // The same file under another name is said to pay that batch once more; it is not sent yet, so its rows are held.
    const repeats = batch === 'june' ? 'may' : undefined;
    await planFile(ada, 'samples/suppliers.csv', { batch, repeats });
    if (batch === 'june') await ada.rows.release({ batch, kind: ['repeat'], reason: 'once more' });
    if (batch === 'june') await planFile(ada, 'samples/suppliers.csv', { batch });
    const digest = (await stateOf(ada, batch)).plan?.digest ?? '';
    const { nonce, options } = await eve.people.askApproval({ batch, digest, origin: ORIGIN });
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    expect((await approvePlan(eve, batch, digest, { passkey })).kind).toBe('approved');
  }
  expect((await ada.ledger.verify()).problems).toEqual([]);
  await ada.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
  readonly seq: number;
  readonly batch: number;
  readonly kind: string;
  body: Record<string, unknown>;
}

let copies = 0;

/** A copy of which somebody changed entries, and wrote facts and heads anew so that they fit. */
async function problemsAfter(change: (rows: readonly Row[]) => void): Promise<readonly string[]> {
  copies += 1;
  const path = join(folder, `copy-${copies}.db`);
  copyFileSync(whole(), path);
  const db = new DatabaseSync(path);
  const select =
    "SELECT seq, batch, kind, body FROM journal WHERE kind IN ('approved','passkey_registered','ticket_made') AND payout IS NULL ORDER BY seq";
  const rows = db
    .prepare(select)
    .all()
    .map(
      (row): Row => ({
        seq: Number(row['seq']),
        batch: Number(row['batch']),
        kind: String(row['kind']),
        body: JSON.parse(String(row['body'])) as Record<string, unknown>,
      }),
    );
  change(rows);
  for (const { seq, batch, kind, body } of rows) {
    db.prepare('UPDATE journal SET body = ? WHERE seq = ?').run(JSON.stringify(body), seq);
    if (kind !== 'approved') continue;
    const facts = JSON.parse(
      String(db.prepare('SELECT facts FROM batches WHERE id = ?').get(batch)?.['facts']),
    );
    const { set } = body as { readonly set: object };
    db.prepare('UPDATE batches SET facts = ? WHERE id = ?').run(JSON.stringify({ ...facts, ...set }), batch);
  }
  writeHeads(db);
  db.close();
  const payfile = opened(path, `home-${copies}`);
  const { problems } = await payfile.ledger.verify();
  await payfile.close();
  return problems;
}

const sealIn = ({ personal, salt }: Record<string, unknown>) =>
  personal === null ? null : sealOf(String(salt), String(personal));

function writeHeads(db: DatabaseSync): void {
  const heads = new Map<number, string>();
  for (const commit of db.prepare('SELECT * FROM commits ORDER BY seq').all()) {
    const number = (key: string) => Number(commit[key]);
    const batch = number('batch');
    const lines = db
      .prepare(
        'SELECT seq, payout, at, kind, body, personal, salt FROM journal WHERE batch = ? AND seq BETWEEN ? AND ? ORDER BY seq',
      )
      .all(batch, number('first'), number('last'))
      .map((line) => lineText({ ...line, seal: sealIn(line) } as never));
    const rowsHash = commit['rows_hash'] === null ? null : String(commit['rows_hash']);
    const numbers = {
      seq: number('seq'),
      batch,
      first: number('first'),
      last: number('last'),
      events: number('events'),
      rowsHash,
    };
    const head = headOf([heads.get(batch) ?? []].flat(), numbers, lines.join(''));
    heads.set(batch, head);
    db.prepare('UPDATE commits SET head = ? WHERE seq = ?').run(head, numbers.seq);
  }
}

const of = (rows: readonly Row[], kind: string) =>
  rows.filter((row) => row.kind === kind).map(({ body }) => body);
type Inside = Record<string, Record<string, unknown>>;

/** The text with its middle letter changed. */
function bent(text: unknown): string {
  const whole = String(text);
  const at = Math.floor(whole.length / 2);
  return `${whole.slice(0, at)}${whole[at] === 'A' ? 'B' : 'A'}${whole.slice(at + 1)}`;
}

it('finds nothing where only the heads were written anew, as they were', async () => {
  expect(await problemsAfter(() => undefined)).toEqual([]);
});

it.each(['nonce', 'credentialId', 'authenticatorData', 'clientDataJson', 'signature'])(
  'finds a changed letter in what was signed: %s',
  async (part) => {
    const problems = await problemsAfter((rows) => {
      const { passkey } = of(rows, 'approved')[0] as Inside;
      if (passkey !== undefined) passkey[part] = bent(passkey[part]);
    });
    expect(problems).toEqual([
      expect.stringMatching(/^batch \d+, entry \d+: the approval of eve is not proven: /),
    ]);
  },
);

it.each([
  ['digest', (body: Inside) => ({ digest: bent((body['approval'] as never)['digest']) })],
  ['count', (body: Inside) => ({ count: Number((body['approval'] as never)['count']) + 1 })],
  ['person', () => ({ by: 'mallory' })],
])('finds an approval with another %s', async (_what, change) => {
  const problems = await problemsAfter((rows) => {
    const set = (of(rows, 'approved')[0] as Inside)['set'] as Inside;
    set['approval'] = { ...set['approval'], ...change(set) };
  });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('is not proven');
});

it.each([
  ['rows', 99],
  ['beneficiariesGet', ['GHS 1']],
  ['wePay', ['GBP 1']],
])('finds other totals than those that were signed: %s', async (figure, value) => {
  const problems = await problemsAfter((rows) => {
    const { passkey } = of(rows, 'approved')[0] as Record<string, { figures: Record<string, unknown> }>;
    if (passkey !== undefined) passkey.figures[figure] = value;
  });
  expect(problems[0]).toContain('is not proven');
});

it('finds a signature that was copied to another approval', async () => {
  const problems = await problemsAfter((rows) => {
    const [first, second] = of(rows, 'approved') as [Inside, Inside];
    second['passkey'] = first['passkey'] as never;
  });
  expect(problems).toEqual([expect.stringContaining('was used for another approval before')]);
});

it('finds another public key, and a passkey that no ticket allowed', async () => {
  const otherKey = await problemsAfter((rows) => {
    const [made] = of(rows, 'passkey_registered');
    if (made !== undefined) made['publicKey'] = bent(made['publicKey']);
  });
  expect(otherKey).toHaveLength(2);
  const noTicket = await problemsAfter((rows) => {
    const [ticket] = of(rows, 'ticket_made');
    if (ticket !== undefined) ticket['person'] = 'mallory';
  });
  expect(noTicket.filter((problem) => problem.includes('the passkey is not one of eve'))).toHaveLength(2);
});
