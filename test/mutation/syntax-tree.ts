/** The syntax tree of a source: its nodes, a visitor, and the search for a function by its name. */
import { parseAst } from 'vitest/node';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function parseSource(source: string): Node {
  return parseAst(source, { lang: 'ts' }) as unknown as Node;
}

const NOT_ENTERED = /^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import)/;
const TYPE_KEYS = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
]);

/** Visits the node and every node below it, without types and imports. */
export function visit(node: Node, see: (node: Node) => void): void {
  if (NOT_ENTERED.test(node.type)) return;
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (TYPE_KEYS.has(key)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/**
 * The nodes with a name in a module: a function, a `const` or a class. `Class.method` is a method. `outer.inner` is the
 * node with the name `inner` inside `outer`.
 */
export function namedNodes(tree: Node, path: string): readonly Node[] {
  const [first = '', ...inner] = path.split('.');
  const top = declaredIn(tree).flatMap((node) => targetOf(node, first) ?? []);
  return inner.reduce<readonly Node[]>(
    (outer, name) => outer.flatMap((node) => namedInside(node, name)),
    top,
  );
}

function declaredIn({ body }: Node): readonly Node[] {
  return (body as readonly Node[])
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .flatMap((statement) =>
      statement.type === 'VariableDeclaration' ? (statement.declarations as readonly Node[]) : [statement],
    );
}

function namedInside(outer: Node, name: string): readonly Node[] {
  const found: Node[] = [];
  visit(outer, (node) => {
    const target = node === outer ? undefined : targetOf(node, name);
    if (target !== undefined) found.push(target);
  });
  return found;
}

const NAMED_BY = new Map([
  ['FunctionDeclaration', 'id'],
  ['ClassDeclaration', 'id'],
  ['VariableDeclarator', 'id'],
  ['MethodDefinition', 'key'],
  ['Property', 'key'],
]);

function targetOf(node: Node, name: string): Node | undefined {
  const key = node[NAMED_BY.get(node.type) ?? ''];
  if (!isNode(key) || wordOf(key) !== name) return undefined;
  // A shorthand property repeats a name and gives no name.
  if (node.type !== 'Property') return node;
  return isNode(node.value) && node.value.type.includes('Function') ? node : undefined;
}

/** The word of a node: an identifier, `#private`, or a literal as text. */
export function wordOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'PrivateIdentifier') return `#${String(node.name)}`;
  if (node.type !== 'Literal') return undefined;
  return String(node.value);
}

export function wordsOf(node: Node): ReadonlySet<string> {
  const words = new Set<string>();
  visit(node, (inner) => {
    const word = wordOf(inner);
    if (word !== undefined) words.add(word);
  });
  return words;
}
