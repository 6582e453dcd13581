/**
 * Endpoint 2: executes a transfer, or refuses it. Never idempotent: the same body twice pays twice.
 *
 * Why:     this is the judge of those who send transfers, so everything that executes is in the book before
 *          the first byte of an answer leaves; a bad answer is chosen on one known side of that moment.
 */
import { gatewayAnswer, type Reply } from './answer.ts';
import type { BookEntry } from './book.ts';
import { SLOW_TIMES } from './book-entry.ts';
import { decimalText, durationMs, scaled } from './rates.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import { happensFirst, type SandboxState } from './sandbox-state.ts';
import { type AccountScenario, scenarioOf } from './scenario-accounts.ts';
import { checkTransfer, type TransferRequest } from './transfer-request.ts';

export interface TransferQuestion {
  readonly body: Record<string, unknown>;
  /** The session that asks, so that a scenario can end it. */
  readonly token: string;
}

export async function postTransfer(state: SandboxState, question: TransferQuestion): Promise<Reply> {
  const { scenario: settings, envelope } = state;
  const checked = checkTransfer(question.body, {
    seed: state.settings.seed,
    scenarioAccounts: settings.scenarioAccounts,
  });
  if (checked.kind === 'refused') return envelope.failure('transfer', checked.refusal);
  const { request } = checked;
  const scenario = settings.scenarioAccounts ? scenarioOf(request.account) : undefined;
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
  const isFirst = () => happensFirst(state, `${question.scenario} ${question.account}`);
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
