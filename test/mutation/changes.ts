/**
 * Changes by name. Each finds its place in a function by identifiers and literals, never by the text of the source.
 *
 * Words:   `'guard -batch'` fits a place with the identifier or literal `guard` and without `batch`. If places are nested,
 *          the smallest fits.
 */
import { isNode, type Node, visit, wordOf, wordsOf } from './syntax-tree.ts';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** Finds the places of a change in a function. A usable change fits exactly one place. */
export type Change = (target: Node, text: (node: Node) => string) => readonly Fit[];
type Fit = readonly Edit[];

/** The function only returns this value. */
export const returns =
  (value: string): Change =>
  (target) => {
    const body = functionOf(target)?.body;
    if (!isNode(body)) return [];
    return [[replaced(body, body.type === 'BlockStatement' ? `{ return ${value}; }` : `(${value})`)]];
  };

/** The variable has this value from the beginning. */
export const valued =
  (value: string): Change =>
  ({ type, init }) =>
    type === 'VariableDeclarator' && isNode(init) ? [[replaced(init, value)]] : [];

/** The condition of an `if`, a loop or a `?` is always this value. */
export const condition = (words: string, value: 'true' | 'false'): Change =>
  each(words, (node) => (isNode(node.test) && node.type !== 'SwitchCase' ? node.test : undefined), value);

/** A part of a condition with `&&` or `||` is left out. */
export const withoutTerm =
  (words: string): Change =>
  (target) => {
    const found = new Map<Node, string>();
    visit(target, (node) => {
      if (node.type !== 'LogicalExpression' || node.operator === '??') return;
      for (const term of [node.left, node.right].filter(isNode))
        if (term.operator !== node.operator) found.set(term, node.operator === '&&' ? 'true' : 'false');
    });
    return smallest(words, [...found.keys()]).map((term) => [replaced(term, found.get(term) ?? '')]);
  };

/** A statement with only this call is left out. */
export const withoutCall = (words: string): Change =>
  each(
    words,
    (node) => (node.type === 'ExpressionStatement' && isCall(node.expression) ? node : undefined),
    ';',
  );

/** A `return` gives another value. */
export const returning = (words: string, value: string): Change =>
  each(words, (node) => (node.type === 'ReturnStatement' ? node : undefined), `return ${value};`);

/** Where the function threw an error, it returns this value. */
export const returningForThrow = (words: string, value: string): Change =>
  each(words, (node) => (node.type === 'ThrowStatement' ? node : undefined), `return ${value};`);

/** A member of an object literal has another value. */
export const property = (name: string, value: string): Change =>
  each(
    '',
    (node) => membersOf(node, 'properties').find((member) => isMember(member, name)),
    `${name}: ${value}`,
  );

/** An element of an array literal and its comma are left out. */
export const withoutElement =
  (words: string): Change =>
  (target) => {
    const places = new Map<Node, Edit>();
    visit(target, (node) => {
      const elements = membersOf(node, 'elements');
      for (const [index, element] of elements.entries()) {
        const [before, next] = [elements[index - 1], elements[index + 1]];
        const start = next === undefined && before !== undefined ? before.end : element.start;
        places.set(element, { start, end: next?.start ?? element.end, after: '' });
      }
    });
    return smallest(words, [...places.keys()]).map((element) => [
      places.get(element) ?? replaced(element, ''),
    ]);
  };

/** An argument of a call is another one. */
export const argument = (call: string, index: number, value: string): Change =>
  each(
    '',
    (node) => {
      const given = calledName(node) === call ? (node.arguments as unknown[])[index] : undefined;
      return isNode(given) ? given : undefined;
    },
    value,
  );

/** A literal is another one. */
export const literal = (from: string | number, to: string | number): Change =>
  each(
    '',
    (node) => (node.type === 'Literal' && wordOf(node) === String(from) ? node : undefined),
    JSON.stringify(to),
  );

/** The statement that has `later` comes before the one that has `first`. */
export const earlier =
  (later: string, first: string): Change =>
  (target, text) => {
    const fits: Fit[] = [];
    visit(target, (node) => {
      if (node.type !== 'BlockStatement') return;
      const statements = (node.body as unknown[]).filter(isNode);
      const [moved, before] = [later, first].map((words) => statements.find((one) => hasWords(one, words)));
      if (moved === undefined || before === undefined || moved.start <= before.start) return;
      fits.push([
        { start: before.start, end: before.start, after: `${text(moved)}\n` },
        replaced(moved, ';'),
      ]);
    });
    return fits;
  };

/** The awaited call runs twice; the second result is used. */
export const twice =
  (call: string): Change =>
  (target, text) =>
    fitsOf(target, '', (node) =>
      node.type === 'AwaitExpression' && isNode(node.argument) && calledName(node.argument) === call
        ? node
        : undefined,
    ).map((node) => [replaced(node, `(${text(node)}, ${text(node)})`)]);

/** Replaces a part of an SQL statement. */
export const inSql =
  (from: string, to: string): Change =>
  (target, text) => {
    const isText = ({ type }: Node) => type === 'TemplateElement' || type === 'Literal';
    return fitsOf(target, '', (node) => (isText(node) ? node : undefined)).flatMap((node) => {
      const written = text(node);
      return written.split(from).length === 2
        ? [
            [
              replaced(
                node,
                written.replace(from, () => to),
              ),
            ],
          ]
        : [];
    });
  };

/** Makes the change in one `case` of a `switch`. */
export const inCase =
  (word: string, change: Change): Change =>
  (target, text) =>
    fitsOf(target, '', (node) =>
      node.type === 'SwitchCase' && isNode(node.test) && wordOf(node.test) === word ? node : undefined,
    ).flatMap((node) => change(node, text));

function each(words: string, place: (node: Node) => Node | undefined, after: string): Change {
  return (target) => fitsOf(target, words, place).map((node) => [replaced(node, after)]);
}

function fitsOf(target: Node, words: string, place: (node: Node) => Node | undefined): readonly Node[] {
  const found = new Set<Node>();
  visit(target, (node) => {
    const here = place(node);
    if (here !== undefined) found.add(here);
  });
  return smallest(words, [...found]);
}

function smallest(words: string, nodes: readonly Node[]): readonly Node[] {
  const fitting = nodes.filter((node) => hasWords(node, words));
  const holds = (outer: Node, inner: Node) =>
    outer !== inner && outer.start <= inner.start && inner.end <= outer.end;
  return fitting.filter((node) => !fitting.some((inner) => holds(node, inner)));
}

function hasWords(node: Node, words: string): boolean {
  const own = wordsOf(node);
  return words
    .split(' ')
    .filter((word) => word !== '')
    .every((word) => (word.startsWith('-') ? !own.has(word.slice(1)) : own.has(word)));
}

function replaced({ start, end }: Node, after: string): Edit {
  return { start, end, after };
}

function membersOf(node: Node, list: 'properties' | 'elements'): readonly Node[] {
  if (node.type !== (list === 'elements' ? 'ArrayExpression' : 'ObjectExpression')) return [];
  return (node[list] as unknown[]).filter(isNode);
}

function isMember({ type, key }: Node, name: string): boolean {
  return type === 'Property' && isNode(key) && wordOf(key) === name;
}

function isCall(expression: unknown): boolean {
  if (!isNode(expression)) return false;
  const inner =
    expression.argument ?? (expression.type === 'ChainExpression' ? expression.expression : undefined);
  return expression.type === 'CallExpression' || isCall(inner);
}

function calledName({ type, callee }: Node): string | undefined {
  if (type !== 'CallExpression' || !isNode(callee)) return undefined;
  return wordOf(isNode(callee.property) ? callee.property : callee);
}

function functionOf({ type, init, value, ...node }: Node): Node | undefined {
  const made = type === 'VariableDeclarator' ? init : value;
  if (isNode(made) && made.type.includes('Function')) return made;
  return type === 'FunctionDeclaration' ? { type, ...node } : undefined;
}
