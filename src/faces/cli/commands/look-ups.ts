/**
 * Single questions to the service: `countries`, `institutions`, `rate`, `name`, `transaction`, `profile`. They move no
 * money and keep nothing.
 *
 * --json: {countries: [{id, iso, name, callingCode}]} · {country, institutions: [{id, name, currency, charges}]} ·
 * {rate, from, to, estimate} · {name, institution} · {transaction} · {profile}.
 */

import { currencyOfCountry } from '../../../domain/money/currency.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { printable } from '../../../domain/text/printable.ts';
import { argument, type Call, type Opened } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { tableOf } from '../terminal/table.ts';

export async function countries(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const list = await opened.payfile.countries(call.stopping);
  const columns = [{ title: 'Country' }, { title: 'ISO' }, { title: 'Calling' }, { title: 'Id' }];
  const rows = list.map(({ name, iso, callingCode, id }) => [
    printable(name),
    iso,
    callingCode === '' ? '' : `+${callingCode}`,
    id,
  ]);
  call.terminal.print(tableOf(columns, rows).join('\n'));
  return answer(call, opened, { countries: list });
}

export async function institutions(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const found = await opened.payfile.institutions(argument(call, 0), call.stopping);
  const columns = [
    { title: 'Institution' },
    { title: 'Currency' },
    { title: 'Charges', right: true },
    { title: 'Id' },
  ];
  const rows = found.institutions.map(({ name, currency, charges, id }) => [
    printable(name),
    currency,
    charges ?? '',
    id,
  ]);
  call.terminal.print(tableOf(columns, rows).join('\n'));
  return answer(call, opened, found);
}

export async function rate(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const question = { from: argument(call, 0), to: argument(call, 1), amount: call.args[2] };
  const { from, to, ...said } = await opened.payfile.rate(question, call.stopping);
  const [paid, received] = [currencyOfCountry(from.iso) ?? from.iso, currencyOfCountry(to.iso) ?? to.iso];
  const between = { from: from.iso, to: to.iso };
  if (said.kind === 'rate') {
    call.terminal.print(`1 ${paid} = ${said.rate} ${received}`);
    return answer(call, opened, { ...between, rate: said.rate });
  }
  const { amount, estimate } = said;
  call.terminal.print(
    `1 ${paid} = ${estimate.rate} ${received}; fee ${estimate.fee} ${paid}; takes about ${estimate.speedSeconds} s`,
  );
  return answer(call, opened, { ...between, amount, estimate });
}

export async function accountName(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const question = { institution: argument(call, 0), account: argument(call, 1) };
  const said = await opened.payfile.accountName(question, call.stopping);
  const { institutionId, name } = said;
  call.terminal.print(
    printable(name === undefined ? `The service gives no name for this account: ${said.declined}` : name),
  );
  return answer(call, opened, { institution: institutionId, name: name ?? null });
}

export async function transaction(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const seen = await opened.payfile.transaction(argument(call, 0), call.stopping);
  const facts = Object.entries(seen).filter(([, value]) => value !== undefined);
  for (const [name, value] of facts) call.terminal.print(`${name.padEnd(13)}${printable(String(value))}`);
  return answer(call, opened, { transaction: seen });
}

export async function profile(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const data: unknown = JSON.parse(await opened.payfile.profile(call.stopping));
  call.terminal.print(JSON.stringify(data, undefined, 2));
  return answer(call, opened, { profile: data });
}

function answer(call: Call, opened: Opened, body: Readonly<Record<string, unknown>>): ExitCode {
  const { environment } = opened.payfile;
  call.terminal.answer({
    command: call.command,
    environment,
    exitCode: EXIT.done,
    ...body,
  });
  return EXIT.done;
}
