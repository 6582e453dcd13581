/** Builds commands from operations: words and flags from the inputs. */
import { type Blank, type Command, commandText, helpOn } from '../domain/next-steps/command.ts';
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

function specOfOne(operation: Operation): CommandSpec {
  const load = async () => (await import('./run-operation.ts')).runOperation(operation);
  return { ...shapeOf(operation), load };
}

/** The command of one operation, or of several with one verb, such as `ledger list` and `ledger move`. */
export function specOf(operations: readonly Operation[]): CommandSpec {
  const specs = operations.map(specOfOne);
  const [only, ...others] = specs;
  if (only !== undefined && others.length === 0) return only;
  const [{ verb = '' } = {}] = operations.map(wordsOf);
  const options = specs.flatMap((each) => each.options);
  return {
    usage: `${verb} <action> [words...]`,
    options: options.filter(({ flags }, at) => options.findIndex((each) => each.flags === flags) === at),
    load: async () => {
      const { runOperation } = await import('./run-operation.ts');
      return (call) => runOperation(chosenOf(operations, call.args))(call);
    },
  };
}

function chosenOf(operations: readonly Operation[], [typed = '', ...words]: readonly string[]): Operation {
  const chosen = operations.find((each) => wordsOf(each).action === typed);
  const { verb, action = '' } = wordsOf(chosen ?? operations[0] ?? { name: '' });
  if (chosen === undefined) {
    const actions = operations.map((each) => wordsOf(each).action).join(', ');
    throw new RequestRefused(
      `“${printable(typed)}” is not an action of ${verb}; expected ${actions}.`,
      helpOn(verb),
    );
  }
  const wanted = fieldsOf(chosen).filter(({ isPositional }) => isPositional === true);
  if (words.length === wanted.length) return chosen;
  const blanks = wanted.map(({ value = '' }) => ({ fillIn: value.toUpperCase() as Blank['fillIn'] }));
  const usage: Command = { verb, words: [action, ...blanks], flags: [] };
  throw new RequestRefused(`Expected: ${commandText(usage, {})}`, usage);
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
