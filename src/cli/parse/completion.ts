/** Shell scripts that complete commands and flags, generated from all command declarations. */
import { COMMANDS, everyCommand } from './command-table.ts';
import { GLOBAL_OPTIONS } from './flags.ts';
import { GUIDES } from './guides.ts';
import type { OptionSpec } from './option-spec.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
}

interface CompletedFlag {
  readonly long: string;
  readonly text: string;
  readonly takesValue: boolean;
}

const HELP: CompletedFlag = { long: '--help', text: 'show help', takesValue: false };

export async function completionOf(shell: Shell): Promise<string> {
  const specs = await everyCommand();
  const everywhere = [...GLOBAL_OPTIONS.map(flagOf), HELP];
  const commands = COMMANDS.map(({ name, summary }, at): Completed => {
    const own = (specs[at]?.options ?? []).map(flagOf);
    return { name, summary, flags: [...own, ...everywhere] };
  });
  const topics = [...commands.map(({ name }) => name), ...Object.keys(GUIDES)];
  return { bash, zsh, fish }[shell](commands, topics);
}

function flagOf({ flags, text }: OptionSpec): CompletedFlag {
  const [long = ''] = /--[a-z-]+/.exec(flags) ?? [];
  return { long, text, takesValue: /[<[]/.test(flags) };
}

type Script = (commands: readonly Completed[], topics: readonly string[]) => string;

/** After a flag with a value, or without a match, the shell completes file names. */
const bash: Script = (commands, topics) => `_payfile() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command='' flags='' values='' each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$each" in
      -*) ;;
      ${commands.map(({ name }) => name).join('|')}|help) command="$each"; break ;;
    esac
  done
  case "$command" in
    '') COMPREPLY=($(compgen -W '${['help', ...commands.map(({ name }) => name), ...longOf(sharedFlagsOf(commands))].join(' ')}' -- "$word")); return ;;
    help) COMPREPLY=($(compgen -W '${topics.join(' ')}' -- "$word")); return ;;
${commands.map(({ name, flags }) => `    ${name}) flags='${longOf(flags).join(' ')}' values='${longOf(flags.filter(({ takesValue }) => takesValue)).join(' ')}' ;;`).join('\n')}
  esac
  if [[ " $values " == *" $before "* || "$word" != -* ]]; then return; fi
  COMPREPLY=($(compgen -W "$flags" -- "$word"))
}
complete -o default -F _payfile payfile
`;

const zsh: Script = (commands, topics) => `#compdef payfile
_payfile() {
  local -a commands flags
  commands=(help ${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})
  local command=\${words[(r)(${['help', ...commands.map(({ name }) => name)].join('|')})]}
  case "$command" in
    '') _describe command commands; return ;;
    help) compadd -- ${topics.join(' ')}; return ;;
${commands.map(({ name, flags }) => `    ${name}) flags=(${flags.map(({ long, text }) => quoted(`${long}:${text}`)).join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe flag flags; else _files; fi
}
compdef _payfile payfile
`;

const fish: Script = (commands, topics) => {
  const names = commands.map(({ name }) => name).join(' ');
  const isFirst = `not __fish_seen_subcommand_from help ${names}`;
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c payfile -f -n ${quoted(isFirst)} -a ${name} -d ${quoted(summary)}`,
    ...flags.map(
      ({ long, text, takesValue }) =>
        `complete -c payfile -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(text)}`,
    ),
  ]);
  return `complete -c payfile -f -n ${quoted(isFirst)} -a help
complete -c payfile -f -n '__fish_seen_subcommand_from help' -a ${quoted(topics.join(' '))}
${lines.join('\n')}
`;
};

const longOf = (flags: readonly CompletedFlag[]) => flags.map(({ long }) => long);

/** Flags that all commands share. */
function sharedFlagsOf(commands: readonly Completed[]): readonly CompletedFlag[] {
  return (commands[0]?.flags ?? []).filter(({ long }) =>
    commands.every(({ flags }) => flags.some((flag) => flag.long === long)),
  );
}

/** Quotes text as one word for any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
