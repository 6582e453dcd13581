/** Builds commands from operations: words and flags from the inputs. */
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { type DeclaredCommand, fieldsOf, type InputField, type Operation } from '../operations/operation.ts';
import { type CommandSpec, wordsOf } from './parse/command-spec.ts';
import { flagOf, type OptionSpec } from './parse/option-spec.ts';

/** Words and flags of an operation. */
export function shapeOf(declared: DeclaredCommand): Omit<CommandSpec, 'load'> {
  const fields = fieldsOf(declared).filter(({ isHidden }) => !isHidden);
  const words = fields.filter(({ isPositional }) => isPositional === true).map(wordOf);
  const { verb, action } = wordsOf(declared);
  return {
    usage: [verb, ...(action === undefined ? [] : ['<action>']), ...words].join(' '),
    options: fields.filter(({ isPositional }) => isPositional !== true).map(optionOf),
  };
}

/** The command of an operation. */
export function specOf(operation: Operation): CommandSpec {
  const load = async () => (await import('./run-operation.ts')).runOperation(operation);
  return { ...shapeOf(operation), load };
}

function wordOf({ value = 'word', kind, isNeeded }: InputField): string {
  const shown = kind === 'list' ? `${value}...` : value;
  return isNeeded ? `<${shown}>` : `[${shown}]`;
}

function optionOf(field: InputField): OptionSpec {
  const { name, help = '', value, valueIfBare, kind, read, expected, letter, isSingleValue } = field;
  const flag = letter === undefined ? flagOf(name) : `-${letter}, ${flagOf(name)}`;
  const shown = valueIfBare === undefined ? `<${value}>` : `[${value}]`;
  const flags = value === undefined ? flag : `${flag} ${shown}`;
  if (kind === 'choice') return { flags, text: help };
  const one = (text: string, before?: unknown) => {
    const taken = read === undefined ? text : read(text, before);
    if (isSingleValue === true && before !== undefined && taken !== before)
      throw new RequestRefused(`${flagOf(name)} has two values. Give one.`);
    if (taken !== undefined) return taken;
    throw new RequestRefused(
      `${flagOf(name)} is “${printable(text)}”; expected ${expected ?? 'another value'}.`,
    );
  };
  const parse =
    kind === 'list' ? (text: string, before: readonly unknown[] = []) => [...before, one(text)].flat() : one;
  return { flags, text: help, parse, ...(typeof valueIfBare === 'string' && { valueIfBare }) };
}
