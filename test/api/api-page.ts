/** The page of the library for `payfile help api`, and a program of all its examples. Both are made from the docstrings. */
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import type { Input, Member, Method, PublicApi, PublicName } from './read-api.ts';

const WIDTH = 100;

const HEAD = `# The library

    import { createPayfile } from 'payfile';

A program gets a \`Payfile\` from \`createPayfile\`. Ten methods stand on it: \`check\`, \`plan\`,
\`approve\`, \`send\`, \`settle\`, \`run\`, \`report\`, \`status\`, \`explain\` and \`close\`. All others are in
groups, such as \`payfile.rows.release\`.

- A method takes its inputs as one object. A second object may have \`signal\`, \`onProgress\`, \`ask\`.
- The result has the words that \`--json\` shows, and \`exitCode\`, which the command would end with.
- Amounts are text in units of the currency. \`minorUnits\` is the same in its smallest units. An
  input of money is \`{ minor: 125000n, currency }\`, with the currency from \`parseCurrency\`.
- Inputs of time are milliseconds. Times in results are text in UTC.
- An input that is not known is refused, with a proposal.
- Every method may throw PayfileClosed, RequestRefused, NotAllowed, ConfigError and LedgerError.
  Each error has a \`code\` that stays the same. Its message names no account number.
- Exit codes: \`payfile help exit-codes\`. A method without a line about them ends with 0.

This page is made from the docstrings. Your editor shows the same texts.
`;

export function apiPage({ groups, names }: PublicApi): string {
  const [front, ...others] = groups;
  return [
    HEAD,
    ...(front === undefined ? [] : ['\n## The ten\n', ...front.methods.map(methodText)]),
    ...others.map(({ name, doc, methods }) =>
      [
        name === 'others' ? '\n## More methods\n' : `\n## payfile.${name}\n\n${wrap(doc.text)}\n`,
        ...methods.filter(({ doc: { example } }) => example !== undefined).map(methodText),
      ].join(''),
    ),
    '\n## Errors\n\n',
    ...listOf(names, 'error'),
    '\n## Functions and values\n\n',
    ...names.filter(({ kind }) => kind === 'function' || kind === 'value').map(functionText),
    '\n## Types\n\n',
    ...listOf(names, 'type'),
  ].join('');
}

function listOf(names: readonly PublicName[], wanted: PublicName['kind']): string[] {
  return names
    .filter(({ kind }) => kind === wanted)
    .map(({ name, doc, members }) => {
      const each = members.map((member) => `  ${wrap(memberText(member), '    ')}\n`);
      return `${wrap(`- \`${name}\`: ${doc.text}`, '  ')}\n${each.join('')}`;
    });
}

function functionText({ name, doc }: PublicName): string {
  const example = doc.example === undefined ? '' : `\n${codeText(doc.example)}\n\n`;
  return `${wrap(`- \`${name}\`: ${doc.text}`, '  ')}\n${example}`;
}

function methodText({ name, doc, inputs, results }: Method): string {
  const parts = [
    wrap(doc.text),
    inputs.length === 0 ? '' : `Inputs:\n\n${inputs.map(inputText).join('\n')}`,
    results.length === 0 ? '' : `Result:\n\n${results.map(resultText).join('\n\n  or\n\n')}`,
    doc.errors.length === 0 ? '' : wrap(`Errors: ${doc.errors.join(', ')}.`),
    doc.exitCodes.length === 0 ? '' : wrap(`Exit codes: ${doc.exitCodes.join(', ')}.`),
    doc.example === undefined ? '' : codeText(doc.example),
  ];
  return `\n### ${name}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function inputText({ name, type, isOptional, text, usual, expected }: Input): string {
  const stop = /[.:?!]$/.test(text) ? '' : '.';
  const what = [kindText(type, expected), ...(isTold(usual) ? [`${JSON.stringify(usual)} if left out`] : [])];
  return wrap(`- \`${name}${isOptional ? '?' : ''}\` (${what.join('; ')}): ${text}${stop}`, '  ');
}

/** What a value has to be says more than a type, if it names a range or a unit. */
function kindText(type: string, expected: string): string {
  if (type === 'object' || /^a (whole )?number/.test(expected)) return expected;
  const isSaid =
    ['', 'text', 'true or false', 'a function'].includes(expected) || /^a list|^text or/.test(expected);
  return isSaid ? type : `${type}; ${expected}`;
}

const isTold = (usual: unknown) => usual !== undefined && usual !== false && !Array.isArray(usual);

const resultText = (members: readonly Member[]) =>
  members.map((each) => wrap(memberText(each), '  ')).join('\n');

function memberText({ name, type, isOptional, text }: Member): string {
  return `- \`${name}${isOptional ? '?' : ''}\` (${type})${text === '' ? '' : `: ${text}`}`;
}

const codeText = (code: string) =>
  code
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');

/** Lines that fit a screen. Paragraphs stay. */
function wrap(text: string, indent = ''): string {
  return text
    .split(/\n\n+/)
    .map((paragraph) => {
      const lines: string[] = [];
      let line = '';
      for (const word of paragraph.split(/\s+/)) {
        if (line !== '' && line.length + word.length + 1 > WIDTH) {
          lines.push(line);
          line = indent + word;
        } else line = line === '' ? word : `${line} ${word}`;
      }
      return [...lines, line].join('\n');
    })
    .join('\n\n');
}

/** A program that is compiled with the tests. The examples of the ten, in their order, pay a batch in the sandbox. */
export function examplesProgram({ groups, names }: PublicApi): string {
  const ofMethods = groups.flatMap(({ methods }) => methods);
  const shown = [...ofMethods, ...names].filter(({ doc: { example } }) => example !== undefined);
  const functions = shown.map(({ name, doc: { example = '' } }) => {
    const isAsync = example.includes('await ');
    const body = example
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n');
    return `  ${isAsync ? 'async ' : ''}${name.includes('.') ? `'${name}'` : name}(${/\bpayfile\./.test(example) ? 'payfile: Payfile' : ''}) {\n${body}\n  },\n`;
  });
  const used = names
    .filter(
      ({ name }) =>
        name !== 'Payfile' && shown.some(({ doc }) => new RegExp(`\\b${name}\\b`).test(doc.example ?? '')),
    )
    .map(({ name, kind }) => (kind === 'type' ? `type ${name}` : name))
    .sort((one, other) =>
      one.replace('type ', '').toLowerCase() < other.replace('type ', '').toLowerCase() ? -1 : 1,
    );
  return [
    '/** The examples of the docstrings (test/api). Do not edit. */\n',
    `import { ${[...used, 'type Payfile'].join(', ')} } from '../../src/index.ts';\n\n`,
    `export const EXAMPLES = {\n${functions.join('')}};\n`,
  ].join('');
}

export const EXIT_CODES: readonly number[] = Object.values<number>(EXIT);
