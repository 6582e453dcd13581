/** The main help on one screen, and examples for the help of commands. */
import { HELP_GROUPS } from '../../operations/listed.ts';
import { wrapText } from '../terminal/table.ts';
import { COMMANDS } from './command-table.ts';
import { GUIDES } from './guides.ts';

const WIDTH = 80;
/** The longest heading and one space. */
const MARGIN = 18;
const NAME_WIDTH = 12;

/** A text and its command. */
type Example = readonly [text: string, command: string];

const FIRST_STEPS: readonly Example[] = [
  ['try it without a service', 'payfile demo'],
  ['see what a file costs', 'payfile plan may.xlsx'],
  ['see how a batch stands', 'payfile status may'],
];

const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  run: [
    ['Try a file in the sandbox:', 'payfile run may.xlsx --sandbox --yes'],
    ['Pay it, and be asked before anything is sent:', 'payfile run may.xlsx --batch may'],
    [
      'Pay it from cron, at most 50,000 cedis:',
      'payfile run may.xlsx --batch may --max-total GHS=50000 --report may.html --quiet',
    ],
  ],
  report: [
    ['Write the result of every row as a page to print:', 'payfile report may -o may.html'],
    ['Write journal entries for bookkeeping:', 'payfile report may -o may.csv --format journal'],
    ['Write unpaid rows as a file to run:', 'payfile report may --only unpaid --as-input -o redo.csv'],
    ['Report all batches of a month:', 'payfile report --from 2026-05-01 --to 2026-05-31 -o may.xlsx'],
  ],
  advice: [
    ['A page to print:', 'payfile advice may -o advice.html'],
    [
      'Messages to send by your own program:',
      'payfile advice may -o sms.csv --contact Phone --text "Dear {name}, we paid you {amount}."',
    ],
  ],
  explain: [
    ['By the number of the row in the file, its reference, or a part of the name:', 'payfile explain may 6'],
  ],
  release: [
    ['One row, by its number in the file or its reference:', 'payfile release may 6 --reason "HR confirmed"'],
    ['Every row that is held for its name:', 'payfile release may --all --kind name --reason "HR confirmed"'],
    ['Other kinds, and what a release covers:', 'payfile help approving'],
  ],
  cancel: [
    ['One row, by its number in the file or its reference:', 'payfile cancel may 6 --reason "Left"'],
    ['Every row that may be a repeat:', 'payfile cancel may --all --kind repeat --reason "Paid before"'],
  ],
  resolve: [
    ['The statement shows the payment:', 'payfile resolve may 8 --paid TRANSFER_ID'],
    [
      'It is proven that no money moved:',
      'payfile resolve may 8 --not-paid --evidence "Letter of the service"',
    ],
    ['What counts as proof:', 'payfile help doubt'],
  ],
  sandbox: [
    ['Account endings that simulate problems:', 'payfile sandbox --list-scenarios'],
    ['Pay such accounts without the problems:', 'payfile run may.xlsx --sandbox --scenario plain-accounts'],
    ['A statement of what the sandbox paid:', 'payfile sandbox --book -o statement.csv'],
    ['A service to rehearse a job with; it prints the settings:', 'payfile sandbox --port 8080'],
  ],
  completion: [
    ['In this bash session:', 'source <(payfile completion bash)'],
    ['In every new bash session:', "echo 'source <(payfile completion bash)' >> ~/.bashrc"],
  ],
  reconcile: [
    ['Compare with the bank’s statement:', 'payfile reconcile may --statement bank.csv'],
    ['Apply the rulings that it proves:', 'payfile reconcile may --statement bank.csv --accept'],
    [
      'Name the column of the amounts:',
      'payfile reconcile may --statement bank.xlsx --map amount=Debit --payments plus',
    ],
  ],
};

/** The main help lists these commands by name only. */
const NAMES_ONLY = 'Lists';

export function mainHelp(): string {
  const groups = HELP_GROUPS.flatMap((group) => {
    const commands = COMMANDS.filter((command) => command.group === group);
    if (group === NAMES_ONLY) return linesBeside(group, commands.map(({ name }) => name).join(', '));
    return commands.map(
      ({ name, summary }, at) => inMargin(at === 0 ? group : '') + name.padEnd(NAME_WIDTH) + summary,
    );
  });
  const first = FIRST_STEPS.map(
    ([text, command], at) => `${inMargin(at === 0 ? 'Examples' : '')}${command.padEnd(24)}${text}`,
  );
  return [
    'payfile pays every row of a spreadsheet, at most once, and proves what happened.',
    '',
    ...groups,
    ...first,
    ...linesBeside('Guides', Object.keys(GUIDES).join(', ')),
    ...linesBeside('Help and flags', 'payfile help COMMAND|GUIDE. Tab key: payfile completion bash'),
    '',
  ].join('\n');
}

const inMargin = (heading: string) => heading.padEnd(MARGIN);

function linesBeside(heading: string, text: string): string[] {
  return wrapText(text, WIDTH - MARGIN, '').map((line, at) => inMargin(at === 0 ? heading : '') + line);
}

export function examplesOf(command: string): string | undefined {
  const examples = EXAMPLES[command];
  if (examples === undefined) return undefined;
  return ['Examples:', ...examples.flatMap(([text, typed]) => [`  ${text}`, `    ${typed}`])].join('\n');
}
