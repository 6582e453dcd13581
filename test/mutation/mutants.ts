/**
 * Mutants of a source text: each is one small change that a careless hand could have made. The syntax tree says
 * where an expression stands, so that types, imports and comments are left alone.
 */
import { isNode, type Node, parseSource, visit } from './syntax-tree.ts';

export interface Mutant {
  readonly line: number;
  /** Where the changed text begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Changes = (node: Node, text: (node: Node) => string) => readonly Change[];
type Change = readonly [node: Pick<Node, 'start' | 'end'>, after: string];

export function mutantsOf(source: string): Mutant[] {
  const text = ({ start, end }: Pick<Node, 'start' | 'end'>) => source.slice(start, end);
  const found = new Map<string, Mutant>();
  visit(parseSource(source), (node) => {
    for (const [{ start, end }, after] of CHANGES[node.type]?.(node, text) ?? []) {
      const before = source.slice(start, end);
      if (after === before) continue;
      const line = source.slice(0, start).split('\n').length;
      found.set(`${start} ${end} ${after}`, { line, start, end, before, after });
    }
  });
  return [...found.values()].sort((one, other) => one.start - other.start || one.end - other.end);
}

export function mutate(source: string, { start, end, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(end);
}

/** `12: a < b → a <= b`, on one line and not too long. */
export function shownMutant({ line, before, after }: Mutant): string {
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, ' ');
    return flat.length > 120 ? `${flat.slice(0, 119)}…` : flat;
  };
  return `${line}: ${short(before)} → ${after === '' ? '(nothing)' : short(after)}`;
}

const OTHER_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
};

const CHANGES: Readonly<Record<string, Changes>> = {
  BinaryExpression: (node, text) => {
    const [left, right] = [node.left as Node, node.right as Node];
    const others = OTHER_OPERATORS[String(node.operator)] ?? [];
    return others.map((other) => [node, `${text(left)} ${other} ${text(right)}`] as const);
  },
  LogicalExpression: (node, text) => {
    const [left, right] = [text(node.left as Node), text(node.right as Node)];
    const other = node.operator === '&&' ? '||' : '&&';
    const either = [
      [node, left],
      [node, right],
    ] as const;
    return node.operator === '??' ? either : [...either, [node, `${left} ${other} ${right}`]];
  },
  UnaryExpression: (node, text) =>
    node.operator === '!' || node.operator === '-' ? [[node, text(node.argument as Node)]] : [],
  AssignmentExpression: (node, text) => {
    const other = { '+=': '-=', '-=': '+=' }[String(node.operator)];
    const [left, right] = [text(node.left as Node), text(node.right as Node)];
    return other === undefined ? [] : [[node, `${left} ${other} ${right}`]];
  },
  Literal: (node, text) => literalChanges(node, text(node)),
  TemplateLiteral: (node) => [[node, "''"]],
  ConditionalExpression: (node) => decided(node.test as Node),
  IfStatement: (node) => decided(node.test as Node),
  WhileStatement: (node) => [[node.test as Node, 'false']],
  ForStatement: (node) => (isNode(node.test) ? [[node.test, 'false']] : []),
  ReturnStatement: (node, text) =>
    isNode(node.argument) && text(node.argument) !== 'undefined' ? [[node.argument, 'undefined']] : [],
  ArrowFunctionExpression: (node) => {
    const body = node.body as Node;
    return body.type === 'BlockStatement' ? [] : [[body, 'undefined']];
  },
  ExpressionStatement: (node) => (typeof node.directive === 'string' ? [] : [[node, ';']]),
  ThrowStatement: (node) => [[node, ';']],
  ArrayExpression: (node, text) => withoutEach(node, node.elements as readonly Node[], text, ['[', ']']),
  ObjectExpression: (node, text) => withoutEach(node, node.properties as readonly Node[], text, ['{', '}']),
  CallExpression: (node, text) => {
    const callee = node.callee as Node;
    if (callee.type !== 'MemberExpression') return [];
    // A step in a chain that gives back the kind of thing it was given: left out.
    const name = text(callee.property as Node);
    if (SAME_KIND.has(name)) return [[node, text(callee.object as Node)]];
    const other = SWAPPED.get(name);
    return other === undefined ? [] : [[callee.property as Node, other]];
  },
};

const SAME_KIND = new Set([
  'trim',
  'toLowerCase',
  'toUpperCase',
  'replace',
  'slice',
  'padEnd',
  'padStart',
  'filter',
  'abs',
  'minus',
]);
const SWAPPED: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['lt', 'lte'],
  ['lte', 'lt'],
  ['min', 'max'],
  ['max', 'min'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
]);

function decided(test: Node): Change[] {
  return [
    [test, 'true'],
    [test, 'false'],
  ];
}

function literalChanges(node: Node, written: string): Change[] {
  if (isNode(node.regex) || 'regex' in node) return regexChanges(node, written);
  if (written === 'true' || written === 'false') return [[node, written === 'true' ? 'false' : 'true']];
  if (/^\d[\d_]*n$/.test(written))
    return [[node, `${BigInt(written.slice(0, -1).replaceAll('_', '')) + 1n}n`]];
  if (/^\d[\d_]*$/.test(written)) {
    const value = Number(written.replaceAll('_', ''));
    return [
      [node, String(value + 1)],
      [node, value === 0 ? '(-1)' : String(value - 1)],
    ];
  }
  if (/^['"]/.test(written)) return [[node, written.length === 2 ? "'mutant'" : "''"]];
  return [];
}

/** An anchor left out, a repetition made shorter or longer. */
function regexChanges(node: Node, written: string): Change[] {
  const changes: string[] = [];
  if (written.startsWith('/^')) changes.push(`/${written.slice(2)}`);
  const end = written.lastIndexOf('/');
  if (written[end - 1] === '$' && written[end - 2] !== '\\')
    changes.push(written.slice(0, end - 1) + written.slice(end));
  for (const { 0: match, index } of written.matchAll(/\{(\d*),(\d+)\}/g)) {
    const [, least = '', most = ''] = /\{(\d*),(\d+)\}/.exec(match) ?? [];
    const put = (text: string) =>
      changes.push(written.slice(0, index) + text + written.slice(index + match.length));
    put(`{${least},${Number(most) + 1}}`);
    if (Number(most) - 1 >= Number(least)) put(`{${least},${Number(most) - 1}}`);
  }
  for (const { index } of written.matchAll(/(?<=[\])wdsS.}])[+*?](?![?+*])/g))
    changes.push(written.slice(0, index) + written.slice(index + 1));
  return changes.filter(isRegex).map((text) => [node, text]);
}

function isRegex(text: string): boolean {
  const end = text.lastIndexOf('/');
  try {
    new RegExp(text.slice(1, end), text.slice(end + 1));
    return true;
  } catch {
    return false;
  }
}

function withoutEach(
  node: Node,
  members: readonly Node[],
  text: (node: Node) => string,
  [open, close]: readonly [string, string],
): Change[] {
  return members.map((left) => {
    const others = members.filter((member) => member !== left).map(text);
    const isParenthesised =
      open === '{' ? `${open} ${others.join(', ')} ${close}` : `${open}${others.join(', ')}${close}`;
    return [node, isParenthesised];
  });
}
