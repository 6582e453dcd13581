/**
 * Endpoint 2: executes a transfer, or refuses it. Never idempotent: the same body twice pays twice.
 *
 * Why:     this is the judge of those who send transfers, so everything that executes is in the book before
 *          the first byte of an answer leaves; a bad answer is chosen on one known side of that moment.
 */

import { NumberText } from '../contract/exact-json.ts';
import { holderOf, isPlausibleAccount } from './accounts.ts';
import { gatewayAnswer, REFUSALS, type Refusal, type Reply } from './answer.ts';
import type { BookEntry } from './book.ts';
import { SLOW_TIMES } from './book-file.ts';
import { countryById, institutionById, type SandboxCountry, type SandboxInstitution } from './directory.ts';
import { decimalText, durationMs, scaled } from './rates.ts';
import { isFirstTime, type SandboxState } from './sandbox-state.ts';
import { type AccountScenario, scenarioOf } from './scenarios.ts';

interface TransferQuestion {
  readonly body: Record<string, unknown>;
  /** The session that asks, so that a scenario can end it. */
  readonly token: string;
}

export async function postTransfer(state: SandboxState, question: TransferQuestion): Promise<Reply> {
  const { scenario: settings, envelope } = state;
  const { scenarioAccounts } = settings;
  const request = checkTransfer(question.body, {
    ...{ seed: state.settings.seed, scenarioAccounts, named: state.holders.nameOf },
  });
  if ('refusal' in request) return envelope.failure('transfer', request.refusal);
  const scenario = scenarioAccounts ? scenarioOf(request.account) : undefined;
  const standing = standingRefusal(state, scenario);
  if (standing) return envelope.failure('transfer', standing);
  const unexecuted = unexecutedReply(state, { scenario, account: request.account, token: question.token });
  if (unexecuted) return unexecuted;
  const entry = await execute(state, request, scenario);
  return executedReply(state, entry, scenario);
}

/** What refuses every transfer alike. */
function standingRefusal(state: SandboxState, scenario: AccountScenario | undefined): Refusal | undefined {
  if (!state.scenario.paymentInstrument) return REFUSALS.noPaymentInstrument;
  if (scenario === 'balance_empty') state.balanceEmpty = true;
  if (state.balanceEmpty) return REFUSALS.balanceEmpty;
  return state.book.isFull ? REFUSALS.bookFull : undefined;
}

function unexecutedReply(
  state: SandboxState,
  question: { scenario: AccountScenario | undefined; account: string; token: string },
): Reply | undefined {
  const { envelope } = state;
  const isFirst = () => isFirstTime(state, `${question.scenario} ${question.account}`);
  switch (question.scenario) {
    case 'account_closed':
      return envelope.failure('transfer', REFUSALS.accountClosed);
    case 'refused':
      return envelope.failure('transfer', REFUSALS.refusedByInstitution);
    case 'refused_by_code_1':
      return envelope.failure('transfer', REFUSALS.refusedByCode1);
    case 'rate_limited':
      return isFirst() ? envelope.failure('transfer', REFUSALS.rateLimited) : undefined;
    case 'session_expires':
      if (!isFirst()) return undefined;
      state.sessions.end(question.token);
      return envelope.failure('transfer', REFUSALS.sessionExpired);
    case 'answer_lost_before':
      return { kind: 'destroyed', summary: 'connection broken, nothing executed' };
    default:
      return undefined;
  }
}

async function execute(
  state: SandboxState,
  request: TransferRequest,
  scenario: AccountScenario | undefined,
): Promise<BookEntry> {
  const { destination } = request;
  const speedMs =
    durationMs(destination, state.settings.speedFactor) * (state.scenario.slow ? SLOW_TIMES : 1);
  const entry = await state.book.execute({
    at: state.settings.clock(),
    source: request.source.id,
    destination: destination.id,
    institution: request.institution.id,
    account: request.account,
    name: request.name,
    phone: request.phone,
    amount: scenario === 'amount_differs' ? halfOf(request.amount, destination.decimals) : request.amount,
    currency: destination.currency,
    note: request.note,
    speedMs,
    scenario,
  });
  state.executed += 1;
  return entry;
}

function halfOf(amount: string, decimals: number): string {
  return decimalText((scaled(amount, decimals) + 1n) / 2n, decimals);
}

function executedReply(state: SandboxState, entry: BookEntry, scenario: AccountScenario | undefined): Reply {
  const nth = state.scenario.loseEveryNth;
  if (scenario === 'answer_lost_after' || (nth !== undefined && state.executed % nth === 0)) {
    return { kind: 'destroyed', summary: `connection broken after executing ${entry.id}` };
  }
  if (scenario === 'bad_gateway_after') return gatewayAnswer(502);
  const answer = state.envelope.success('transfer', { id: entry.id }, 'Transfer posted successfully');
  const summary = `code 0: executed ${entry.id}`;
  if (scenario === 'answer_cut') return { kind: 'cut', answer, summary: `${summary}, answer cut` };
  return { ...answer, summary };
}

/**
 * The body of a transfer, checked as a service checks it: types, amount, places, account. It executes nothing.
 *
 * Source:  service interface 2.4. Which fields are required is not shown; ours: all but Name, Note and Phone,
 *          and Name too when the account does not resolve.
 */

interface TransferRequest {
  readonly source: SandboxCountry;
  readonly destination: SandboxCountry;
  readonly institution: SandboxInstitution;
  /** Decimal text as it was written. */
  readonly amount: string;
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  readonly note: string;
}

interface Refused {
  readonly refusal: Refusal;
}

type CheckOptions = Omit<Parameters<typeof holderOf>[0], 'institution' | 'account'>;

const NOTE_MAX = 255;
// At most fifteen digits, no sign, no exponent.
const PLAIN_DECIMAL = /^\d{1,15}(\.\d{1,12})?$/;
const TEXT_FIELDS = ['Source', 'Destination', 'Fi', 'AccountNo', 'Name', 'Phone', 'Note'];

export function checkTransfer(
  body: Record<string, unknown>,
  options: CheckOptions,
): TransferRequest | Refused {
  if (TEXT_FIELDS.some((field) => body[field] !== undefined && typeof body[field] !== 'string')) {
    return { refusal: REFUSALS.fieldNotText };
  }
  const text = (field: string) => String(body[field] ?? '');
  const places = placesOf({ source: text('Source'), destination: text('Destination'), fi: text('Fi') });
  if ('refusal' in places) return places;
  const amount = body.Amount instanceof NumberText ? body.Amount.text : '';
  const amountRefusal = refusalOfAmount(amount, places.destination);
  if (amountRefusal) return { refusal: amountRefusal };
  const [account, note] = [text('AccountNo').trim(), text('Note')];
  if (account === '') return { refusal: REFUSALS.accountMissing };
  if (!isPlausibleAccount(account)) return { refusal: REFUSALS.accountInvalid };
  if (note.length > NOTE_MAX) return { refusal: REFUSALS.noteTooLong };
  const name = text('Name').trim() || resolvedName(places.institution, account, options);
  if (name === undefined) return { refusal: REFUSALS.nameMissing };
  return { ...places, amount, account, name, phone: text('Phone'), note };
}

/** Undefined for an amount above zero that the country's currency can express; trailing zeros do not count. */
export function refusalOfAmount(amount: string, country: SandboxCountry): Refusal | undefined {
  if (!PLAIN_DECIMAL.test(amount) || !/[1-9]/.test(amount)) return REFUSALS.amountInvalid;
  const decimals = (amount.split('.')[1] ?? '').replace(/0+$/, '').length;
  return decimals > country.decimals ? REFUSALS.amountTooPrecise : undefined;
}

function resolvedName(
  institution: SandboxInstitution,
  account: string,
  options: CheckOptions,
): string | undefined {
  const holder = holderOf({ institution, account, ...options });
  return holder.kind === 'found' ? holder.name : undefined;
}

type Places = Pick<TransferRequest, 'source' | 'destination' | 'institution'>;

function placesOf(ids: { source: string; destination: string; fi: string }): Places | Refused {
  const source = countryById(ids.source);
  if (!source) return { refusal: REFUSALS.sourceUnknown };
  const destination = countryById(ids.destination);
  if (!destination) return { refusal: REFUSALS.destinationUnknown };
  if (destination.institutions.length === 0) return { refusal: REFUSALS.nothingPaidThere };
  const institution = institutionById(ids.fi);
  if (!institution) return { refusal: REFUSALS.institutionUnknown };
  if (institution.country !== destination) return { refusal: REFUSALS.institutionElsewhere };
  return { source, destination, institution };
}
