/**
 * Single questions to the service: `rate`, `name`, `transaction`, `profile`. They move no money and keep
 * nothing.
 *
 * --json: {rate, from, to, estimate} · {name, institution} · {transaction} · {profile}.
 */

import { readAccount } from '../../../domain/accounts/read-account.ts';
import { currencyOfCountry } from '../../../domain/money/currency.ts';
import { asTransferId } from '../../../domain/payouts/instruction.ts';
import { asInstitutionId, createDirectory, type InstitutionId } from '../../../domain/rows/directory.ts';
import { command } from '../../../domain/steps/command.ts';
import { printable } from '../../../domain/text/printable.ts';
import { Sensitive } from '../../../domain/text/sensitive.ts';
import type { Asked } from '../../../ports/payment-service.ts';
import { loadInstitutions, ServiceUnavailable } from '../../../use-cases/intake/read-rows.ts';
import { argument, type Call, UsageError } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { requireService } from '../run-usage.ts';
import { countryNamed } from './lists.ts';

async function open(call: Call): Promise<Opened> {
  const opened = await openParts(call);
  requireService(opened.settings);
  return opened;
}

function answer(call: Call, opened: Opened, body: Readonly<Record<string, unknown>>): ExitCode {
  const { environment } = opened.settings;
  call.terminal.answer({
    schemaVersion: 1,
    command: call.command,
    environment,
    exitCode: EXIT.done,
    ...body,
  });
  return EXIT.done;
}

export async function rate(call: Call): Promise<ExitCode> {
  const opened = await open(call);
  const service = await opened.parts.paymentService();
  const from = await countryNamed(argument(call, 0), opened, call);
  const to = await countryNamed(argument(call, 1), opened, call);
  const [paid, received] = [currencyOfCountry(from.iso) ?? from.iso, currencyOfCountry(to.iso) ?? to.iso];
  const amount = call.args[2];
  const { signal } = call.stopping;
  if (amount === undefined) {
    const value = answerOrThrow(await service.rate(from.id, to.id, signal), 'the rate');
    call.terminal.print(`1 ${paid} = ${value} ${received}`);
    return answer(call, opened, { from: from.iso, to: to.iso, rate: value });
  }
  if (!/^\d{1,15}(\.\d{1,4})?$/.test(amount))
    throw new UsageError(`AMOUNT is “${amount}”; expected a number without separators, such as 1250.00.`);
  const question = { sourceId: from.id, destinationId: to.id, amount };
  const estimate = answerOrThrow(await service.estimate(question, signal), 'an estimate');
  call.terminal.print(
    `1 ${paid} = ${estimate.rate} ${received}; fee ${estimate.fee} ${paid}; takes about ${estimate.speedSeconds} s`,
  );
  return answer(call, opened, { from: from.iso, to: to.iso, amount, estimate });
}

export async function accountName(call: Call): Promise<ExitCode> {
  const opened = await open(call);
  const service = await opened.parts.paymentService();
  const institutionId = await institutionNamed(argument(call, 0), opened, call);
  const account = new Sensitive(readAccount(argument(call, 1)));
  const name = answerOrThrow(
    await service.accountName({ institutionId, account }, call.stopping.signal),
    'the name',
  );
  call.terminal.print(name === undefined ? 'No such account, says the service.' : printable(name));
  return answer(call, opened, { institution: institutionId, name: name ?? null });
}

export async function transaction(call: Call): Promise<ExitCode> {
  const opened = await open(call);
  const service = await opened.parts.paymentService();
  const id = asTransferId(argument(call, 0));
  const seen = answerOrThrow(
    await service.transaction(id, call.stopping.signal),
    `transfer ${printable(id)}`,
  );
  const facts = Object.entries(seen).filter(([, value]) => value !== undefined);
  for (const [name, value] of facts) call.terminal.print(`${name.padEnd(13)}${printable(String(value))}`);
  return answer(call, opened, { transaction: seen });
}

export async function profile(call: Call): Promise<ExitCode> {
  const opened = await open(call);
  const service = await opened.parts.paymentService();
  const text = answerOrThrow(await service.profile(call.stopping.signal), 'your profile');
  const data: unknown = JSON.parse(text);
  call.terminal.print(JSON.stringify(data, undefined, 2));
  return answer(call, opened, { profile: data });
}

/** An id as it is, or COUNTRY/NAME looked up in the country's list. */
async function institutionNamed(written: string, opened: Opened, call: Call): Promise<InstitutionId> {
  const slash = written.indexOf('/');
  if (slash < 0) return asInstitutionId(written);
  const country = await countryNamed(written.slice(0, slash), opened, call);
  const name = written.slice(slash + 1);
  const directory = createDirectory([country]);
  const questions = { paymentService: await opened.parts.paymentService(), tell: opened.progress.tell };
  await loadInstitutions(directory, country.id, questions, call.stopping.signal);
  const found = directory.findInstitution(country.id, name);
  if (found.kind === 'found') return found.item.id;
  const names = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint =
    names.length === 0
      ? ''
      : ` Did you mean ${names.map((each) => `${each.name} (${each.id})`).join(' or ')}?`;
  throw new UsageError(
    `${country.name} has no institution “${printable(name)}”.${hint}`,
    command('institutions', [country.iso]),
  );
}

/**
 * An answer of the service, for commands that only ask: what it declined is a usage matter (64), what it
 * could not answer is its own (69).
 */

export function answerOrThrow<Answer>(asked: Asked<Answer>, what: string): Answer {
  switch (asked.kind) {
    case 'answered':
      return asked.answer;
    case 'declined':
      throw new UsageError(
        `The service declined to give ${what}: “${printable(asked.message)}” (code ${printable(asked.code)}).`,
      );
    case 'unavailable':
      throw new ServiceUnavailable(`Could not get ${what} from the payment service: ${asked.reason}.`);
  }
}
