/** Plays a drawn history with the real command, and keeps what somebody saw and agreed to, for the judge. */
import { DatabaseSync } from 'node:sqlite';
import { GCB } from '../fakes/changing-service.ts';
import { openPayroll, type Payroll } from './a-payroll.ts';
import { type Action, BATCHES, type BatchName, type DrawnLine, type FIELDS } from './agreed-actions.ts';
import {
  type Agreement,
  type Evidence,
  type Execution,
  idOf,
  nameKey,
  type PaymentId,
  type ReleaseSeen,
  type WorldSeen,
  type WrittenLine,
} from './agreed-judge.ts';

/** Three people; two of them have an account that can be spelt in two ways. */
const ACCOUNTS = ['0244000001', '233244000001', 'ama.k', 'amak', '0244000003'];
const PEOPLE = ['Kofi Owusu', 'Kofi Owusu', 'Ama Kumi', 'Ama Kumi', 'Yaa Asante'];
const AMOUNTS = ['20.00', '30.00', '40.00'];
const PHONES = ['', '+233201111111'];
const RATES = [2, 1.99, 1, 1.9, 3];
const FEES = [1, 1.2, 6, 1, 7];
const STRANGER = 'Zebedee Unknown';
const FORGED = '0244666666';
const why = ['--reason', 'The manager said so'];
const UNFINISHED = ['approved', 'sending', 'in_doubt', 'accepted', 'held'] as const;
const REPEAT_MS = 20 * 3_600_000;

interface Row {
  readonly row: number;
  readonly status: string;
  readonly tag: string | null;
  readonly original: Readonly<Record<string, string>>;
}

interface PlanSeen {
  readonly digest: string;
  readonly lines: readonly WrittenLine[];
  readonly world: WorldSeen;
}

interface BatchMemory {
  /** Of its file, as it is now. */
  lines: WrittenLine[];
  /** The newest first. */
  readonly plans: PlanSeen[];
  /** What the service said when the rows were asked about last. */
  priced: WorldSeen | undefined;
  /** What a ceiling may agree to, for each amount: as it was planned first, or as a person approved it since. */
  readonly prices: Map<number, Pick<WorldSeen, 'rate' | 'fee'>>;
}

const emptyBatch = (): BatchMemory => ({
  ...{ lines: [], plans: [], priced: undefined, prices: new Map() },
});

export async function playHistory(actions: readonly Action[]): Promise<Evidence> {
  const history = new History(await openPayroll({ approvalHours: 72 }));
  for (const action of actions) await history.play(action);
  return history.evidence();
}

class History {
  readonly #payroll: Payroll;
  readonly #batches: Readonly<Record<BatchName, BatchMemory>> = { may: emptyBatch(), june: emptyBatch() };
  readonly #agreements: Agreement[] = [];
  readonly #releases: ReleaseSeen[] = [];
  readonly #namesReleased = new Set<string>();
  readonly #canceled: { of: PaymentId; line: WrittenLine; at: number }[] = [];
  readonly #written: WrittenLine[] = [];
  /** Of each payment of the book: the number of the command that sent it, and who held the account then. */
  readonly #sent: { readonly command: number; readonly holder: string | undefined }[] = [];
  #commands = 0;
  #losesNext = false;
  readonly #holders: (string | undefined)[] = [...PEOPLE];

  constructor(payroll: Payroll) {
    this.#payroll = payroll;
    const { service } = payroll;
    service.institutions = { GH: [GCB] };
    service.holder = (account) => this.#holders[ACCOUNTS.indexOf(account)];
    service.fate = () => {
      const isLost = this.#losesNext;
      this.#losesNext = false;
      return isLost ? 'answer_lost' : 'accepted';
    };
    service.afterPaying = ({ account, institution }) => {
      this.#sent.push({ command: this.#commands, holder: service.holder(account, institution) });
    };
  }

  async play(action: Action): Promise<void> {
    switch (action.kind) {
      case 'write':
        return this.#write(
          action.batch,
          action.lines.map((line, at) => this.#lineOf(line, at)),
        );
      case 'correct':
        return this.#correct(action);
      case 'copy':
        return this.#write(action.batch, this.#batches[otherOf(action.batch)].lines);
      case 'plan':
        return this.#plan(action);
      case 'run':
        return this.#run(action);
      case 'approve':
        return this.#approve(action);
      case 'send':
        return this.#send(action.batch);
      case 'release':
        return this.#release(action);
      case 'cancel':
        return this.#cancel(action);
      case 'edit':
        return this.#edit(action);
      default:
        return this.#change(action);
    }
  }

  #change(action: Extract<Action, { kind: 'rate' | 'fee' | 'holder' | 'bank' | 'lose' | 'later' }>): void {
    const { service, later } = this.#payroll;
    const fee = action.kind === 'fee' ? (FEES[action.to] ?? 1) : service.fee(0);
    const isRenamed = action.kind === 'bank' && this.#world().bank === GCB.name;
    if (action.kind === 'rate') service.rate = RATES[action.to] ?? 2;
    if (action.kind === 'fee') service.fee = () => fee;
    if (action.kind === 'bank')
      service.institutions = { GH: [{ ...GCB, name: isRenamed ? 'Fidelity Bank' : GCB.name }] };
    if (action.kind === 'holder') this.#holders[action.to] = afterHolder(this.#holders[action.to], action.to);
    if (action.kind === 'lose') this.#losesNext = true;
    if (action.kind === 'later') later(24 * action.days);
    else if (action.kind !== 'lose') later(action.kind === 'holder' ? 25 : 1);
  }

  #world(): WorldSeen {
    const { service } = this.#payroll;
    const holders = Object.fromEntries(ACCOUNTS.map((account, at) => [account, this.#holders[at]]));
    return {
      rate: service.rate,
      fee: service.fee(0),
      bank: service.institutions['GH']?.[0]?.name ?? '',
      holders,
    };
  }

  #lineOf({ account, amount, hasReference, isNameRight, phone }: DrawnLine, at: number): WrittenLine {
    return {
      note: `N${this.#written.length}${at}`,
      account: ACCOUNTS[account] ?? '',
      amount: AMOUNTS[amount] ?? '',
      name: isNameRight ? (PEOPLE[account] ?? '') : STRANGER,
      phone: PHONES[phone] ?? '',
      reference: hasReference ? `R-${at}` : '',
    };
  }

  #write(batch: BatchName, lines: readonly WrittenLine[]): void {
    if (lines.length === 0) return;
    this.#batches[batch].lines = [...lines];
    this.#written.push(...lines);
    this.#payroll.file(`${batch}.csv`, lines);
  }

  #correct({ batch, row, field }: Extract<Action, { kind: 'correct' }>): void {
    const { lines } = this.#batches[batch];
    const at = row % Math.max(1, lines.length);
    const line = lines[at];
    if (line === undefined) return;
    const account = ACCOUNTS.indexOf(line.account);
    const next = {
      account: ACCOUNTS[(account + 1) % ACCOUNTS.length],
      amount: AMOUNTS[(AMOUNTS.indexOf(line.amount) + 1) % AMOUNTS.length],
      name: line.name === STRANGER ? PEOPLE[account] : STRANGER,
      phone: PHONES[(PHONES.indexOf(line.phone) + 1) % PHONES.length],
    } satisfies Record<(typeof FIELDS)[number], string | undefined>;
    this.#write(batch, lines.with(at, { ...line, [field]: next[field] }));
  }

  async #command(
    ...words: string[]
  ): Promise<{ readonly code: number; readonly json: Readonly<Record<string, unknown>> }> {
    this.#commands += 1;
    const { code, stdout } = await this.#payroll.payfile(...words, '--json');
    return { code: code ?? 1, json: stdout === '' ? {} : JSON.parse(stdout) };
  }

  async #rows(batch: BatchName): Promise<readonly Row[]> {
    const { stdout } = await this.#payroll.payfile('report', batch, '--format', 'json');
    return stdout === '' ? [] : ((JSON.parse(stdout) as { rows?: readonly Row[] }).rows ?? []);
  }

  async #plan({ batch, isRepeat }: Extract<Action, { kind: 'plan' | 'run' }>): Promise<void> {
    if (this.#batches[batch].lines.length === 0) return;
    const repeats = isRepeat ? await this.#repeats(batch) : [];
    const { json } = await this.#command('plan', `${batch}.csv`, '--batch', batch, ...repeats);
    await this.#priced(batch, json);
  }

  /** Rows were asked about: a person sees the plan, and the first one is what a ceiling agrees to. */
  async #priced(batch: BatchName, json: Readonly<Record<string, unknown>>): Promise<void> {
    const { digest } = (json['plan'] ?? {}) as { readonly digest?: string };
    if (digest === undefined) return;
    const memory = this.#batches[batch];
    const world = this.#world();
    const rows = await this.#rows(batch);
    const lines = rows.filter(({ status }) => status === 'quoted').map(lineOfRow);
    memory.plans.unshift({ digest, lines, world });
    memory.priced = world;
    const { prices } = memory;
    // An amount that joins has no other rate than one of those before.
    const rates = [...prices.values()].map((one) => one.rate);
    const price = { rate: rates.length === 0 ? world.rate : Math.min(...rates), fee: world.fee };
    for (const { amount } of rows.map(lineOfRow))
      if (!prices.has(Number(amount))) prices.set(Number(amount), price);
  }

  /** An answer to “a new period?”, which counts only where nothing of the other batch is open and it began long ago. */
  async #repeats(batch: BatchName): Promise<string[]> {
    const other = otherOf(batch);
    const paid = (await this.#executions()).filter((one) => one.batch === other);
    if (paid.length === 0) return [];
    const stand = await this.#payroll.stand(other);
    const isOpen = UNFINISHED.some((status) => (stand[status] ?? 0) > 0);
    const at = this.#now();
    if (!isOpen && at - Math.min(...paid.map((one) => one.at)) >= REPEAT_MS)
      for (const { note, amount } of this.#batches[batch].lines)
        this.#releases.push({
          ...{ of: idOf(batch, note), fee: -1, amount, doubtful: new Set(), at },
          repeats: new Set(paid.map(({ line }) => idOf(other, line?.note ?? ''))),
        });
    return ['--repeats', other];
  }

  async #run({ batch, isRepeat }: Extract<Action, { kind: 'plan' | 'run' }>): Promise<void> {
    const memory = this.#batches[batch];
    if (memory.lines.length === 0) return;
    const repeats = isRepeat ? await this.#repeats(batch) : [];
    const [at, world, lines] = [this.#now(), this.#world(), [...memory.lines]];
    const words = ['--batch', batch, '--max-total', 'GHS=99999', '--concurrency', '1'];
    const { json } = await this.#command('run', `${batch}.csv`, ...words, ...repeats);
    await this.#priced(batch, json);
    const bound = new Map(memory.prices);
    const most = (amount: number) => {
      const { rate = world.rate, fee = 0 } = bound.get(amount) ?? {};
      return (amount / rate + fee) * 100 * 1.01;
    };
    this.#agreements.push({ batch, lines, world, most, at });
  }

  async #approve({ batch, age }: Extract<Action, { kind: 'approve' }>): Promise<void> {
    const memory = this.#batches[batch];
    const seen = memory.plans[age];
    if (seen === undefined) return;
    const { lines, world } = seen;
    const at = this.#now();
    const approved = async () => (await this.#payroll.stand(batch))['approved'] ?? 0;
    const before = await approved();
    await this.#command('approve', batch, '--digest', seen.digest);
    if ((await approved()) <= before) return;
    const most = (amount: number) => (amount / world.rate + world.fee) * 100;
    this.#agreements.push({ batch, lines, world, most, at });
    for (const { amount } of lines) memory.prices.set(Number(amount), world);
  }

  async #send(batch: BatchName): Promise<void> {
    await this.#command('send', batch, '--concurrency', '1');
    await this.#command('settle', batch);
  }

  async #release({ batch, row }: Extract<Action, { kind: 'release' }>): Promise<void> {
    const held = (await this.#rows(batch)).filter(({ status }) => status === 'held');
    const chosen = typeof row === 'number' ? held.slice(row, row + 1) : held;
    const { priced } = this.#batches[batch];
    if (chosen.length === 0 || priced === undefined) return;
    const all = row === 'repeats' ? ['--all', '--kind', 'repeat'] : ['--all'];
    const rows = typeof row === 'number' ? chosen.map((one) => `${one.row}`) : all;
    const book = await this.#executions();
    const { code } = await this.#command('release', batch, ...rows, ...why);
    if (code !== 0) return;
    const [seesRepeats, seesOthers] = [row !== 'all', row !== 'repeats'];
    const known = seesRepeats ? this.#known(batch, book) : [];
    const doubtful = new Set(book.filter((one) => one.isAnswerLost).map(paymentOf));
    for (const line of chosen.map(lineOfRow)) {
      this.#releases.push({
        ...{ of: idOf(batch, line.note), amount: line.amount, at: this.#now() },
        ...{ fee: seesOthers ? priced.fee * 100 : -1, repeats: new Set(known), doubtful },
      });
      if (seesOthers) this.#namesReleased.add(nameKey(line, priced.holders[line.account]));
    }
  }

  /** Payments that a release may see: sent ones, agreed ones, and those of the same file. */
  #known(batch: BatchName, book: readonly Execution[]): PaymentId[] {
    const agreed = this.#agreements.flatMap((one) => one.lines.map(({ note }) => idOf(one.batch, note)));
    const beside = this.#batches[batch].lines.map(({ note }) => idOf(batch, note));
    return [...book.map(paymentOf), ...agreed, ...beside];
  }

  async #cancel({ batch, row }: Extract<Action, { kind: 'cancel' }>): Promise<void> {
    const chosen = (await this.#rows(batch))[row];
    if (chosen === undefined) return;
    await this.#command('cancel', batch, `${chosen.row}`, ...why);
    const after = (await this.#rows(batch)).find((one) => one.row === chosen.row);
    if (after?.status !== 'canceled') return;
    const line = lineOfRow(after);
    this.#canceled.push({ of: idOf(batch, line.note), line, at: this.#now() });
  }

  /** Somebody writes another account into the table before the batch is sent, and the right one afterwards. */
  async #edit({ batch, row }: Extract<Action, { kind: 'edit' }>): Promise<void> {
    const chosen = (await this.#rows(batch)).filter(({ status }) => status === 'approved')[row];
    if (chosen === undefined) return;
    const { account, note } = lineOfRow(chosen);
    this.#update("account = ? WHERE status = 'approved' AND note = ?", FORGED, note);
    await this.#send(batch);
    this.#update('account = ? WHERE account = ? AND note = ?', account, FORGED, note);
  }

  #update(change: string, ...values: readonly string[]): void {
    const db = new DatabaseSync(this.#payroll.office.at('state/payfile/ledger.db'));
    db.prepare(`UPDATE payouts SET ${change}`).run(...values);
    db.close();
  }

  async #executions(): Promise<readonly Execution[]> {
    const batchOf = new Map<string, BatchName>();
    for (const batch of BATCHES)
      if (this.#batches[batch].lines.length > 0)
        for (const { tag } of await this.#rows(batch)) if (tag !== null) batchOf.set(tag, batch);
    return this.#payroll.service.book.map((paid, at) => {
      const [tag = '', note = ''] = paid.note.split(' ');
      const same = this.#written.filter((line) => line.note === note);
      const line = same.find(({ account }) => account === paid.account) ?? same[0];
      const { command = 0, holder } = this.#sent[at] ?? {};
      return { ...paid, line, batch: batchOf.get(tag) ?? 'no batch', command, holder };
    });
  }

  #now(): number {
    return this.#payroll.now();
  }

  async evidence(): Promise<Evidence> {
    return {
      book: await this.#executions(),
      agreements: this.#agreements,
      releases: this.#releases,
      namesReleased: this.#namesReleased,
      canceled: this.#canceled,
      sameAccount: (one, other) => PEOPLE[ACCOUNTS.indexOf(one)] === PEOPLE[ACCOUNTS.indexOf(other)],
    };
  }
}

const afterHolder = (now: string | undefined, account: number) =>
  now === undefined ? PEOPLE[account] : now === STRANGER ? undefined : STRANGER;
const otherOf = (batch: BatchName): BatchName => (batch === 'may' ? 'june' : 'may');
const paymentOf = ({ batch, line }: Execution): PaymentId => idOf(batch, line?.note ?? '');

function lineOfRow({ original }: Row): WrittenLine {
  const cell = (column: string) => original[column] ?? '';
  return {
    ...{ note: cell('Note'), account: cell('Account'), amount: cell('Amount') },
    ...{ name: cell('Name'), phone: cell('Phone'), reference: cell('Reference') },
  };
}
