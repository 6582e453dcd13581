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
  return {
    usage: [operation.name, ...words].join(' '),
    text: operation.summary,
    options: fields.filter(({ isWord }) => isWord !== true).map(optionOf),
    load: async () => (await import('./run-operation.ts')).runOperation(operation),
  };
}

function wordOf({ value = 'word', kind, isNeeded }: InputField): string {
  const shown = kind === 'list' ? `${value}...` : value;
  return isNeeded ? `<${shown}>` : `[${shown}]`;
}

function optionOf(field: InputField): OptionSpec {
  const { name, label, help = label, value, alone, kind, read, expected, isOnce } = field;
  const shown = alone === undefined ? `<${value}>` : `[${value}]`;
  const flags = value === undefined ? flagOf(name) : `${flagOf(name)} ${shown}`;
  if (kind === 'choice') return { flags, text: help };
  const one = (text: string, before?: unknown) => {
    const taken = read === undefined ? text : read(text, before);
    if (isOnce === true && before !== undefined && taken !== before)
      throw new RequestRefused(message('input_given_twice')`${named(name)} has two values. Give one.`);
    if (taken !== undefined) return taken;
    throw new RequestRefused(
      message(
        'input_unreadable',
      )`${named(name)} is “${printable(text)}”; expected ${expected ?? 'another value'}.`,
    );
  };
  const parse =
    kind === 'list' ? (text: string, before: readonly unknown[] = []) => [...before, one(text)] : one;
  return { flags, text: help, parse, ...(alone !== undefined && { alone }) };
}
