/** Operations as commands: words and flags from the inputs, text or JSON from the result. */
import { message, input as named } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { type AnyOperation, fieldsOf, type InputField } from '../../operations/operation.ts';
import { RequestRefused } from '../../payfile.ts';
import type { CommandSpec } from './parse/command-spec.ts';
import type { OptionSpec } from './parse/flags.ts';
import { flagOf } from './show/blocks.ts';

export function commandOf(operation: AnyOperation): CommandSpec {
  const fields = fieldsOf(operation).filter(({ isHidden }) => isHidden !== true);
  const words = fields.filter(({ isWord }) => isWord === true).map(wordOf);
  const { verb, action } = wordsOf(operation);
  return {
    usage: [verb, ...(action === undefined ? [] : ['<action>']), ...words].join(' '),
    text: action === undefined ? operation.summary : `${action}: ${operation.summary}`,
    options: fields.filter(({ isWord }) => isWord !== true).map(optionOf),
    load: async () => (await import('./run-operation.ts')).runOperation(operation),
  };
}

/** `ledger move` → its verb and its action. */
export function wordsOf({ name }: Pick<AnyOperation, 'name'>) {
  const [verb = '', action] = name.split(' ');
  return { verb, action };
}

function wordOf({ value = 'word', kind, isNeeded }: InputField): string {
  const shown = kind === 'list' ? `${value}...` : value;
  return isNeeded ? `<${shown}>` : `[${shown}]`;
}

function optionOf(field: InputField): OptionSpec {
  const { name, label, help = label, value, short, alone, kind, read, expected } = field;
  const shown = alone === undefined ? `<${value}>` : `[${value}]`;
  const flag = short === undefined ? flagOf(name) : `${short}, ${flagOf(name)}`;
  const flags = value === undefined ? flag : `${flag} ${shown}`;
  if (kind === 'choice') return { flags, text: help };
  const one = (text: string) => {
    const taken = read === undefined ? text : read(text);
    if (taken !== undefined) return taken;
    throw new RequestRefused(
      message(
        'input_unreadable',
      )`${named(name)} is “${printable(text)}”; expected ${expected ?? 'another value'}.`,
    );
  };
  const parse =
    kind === 'list'
      ? (text: string, before: readonly unknown[] = []) => [...before, one(text)]
      : (text: string) => one(text);
  return { flags, text: help, parse, ...(alone !== undefined && { alone }) };
}
