/** Reads the public names of the library, with their docstrings and types, by the TypeScript compiler. */
import { join } from 'node:path';
import {
  API,
  type Checker,
  type Symbol as Declared,
  SignatureKind,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import { FRONT, GROUPS } from '../../src/operations/all.ts';
import type { ListedOperation } from '../../src/operations/listed.ts';
import { fieldsOf, type InputSyntax, type Operation } from '../../src/operations/operation.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Doc {
  /** Without errors, exit codes and example. */
  readonly text: string;
  readonly errors: readonly string[];
  readonly exitCodes: readonly number[];
  readonly example: string | undefined;
}

export interface PublicName {
  readonly name: string;
  readonly kind: 'function' | 'error' | 'value' | 'type';
  readonly doc: Doc;
  /** Of a type that programs write themselves. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
}

export interface Input extends Member {
  /** What is used if it is left out. */
  readonly usual: unknown;
  /** What a value has to be, with its unit. */
  readonly expected: string;
}

export interface Method {
  /** `run` or `rows.release`. */
  readonly name: string;
  readonly doc: Doc;
  /** undefined: it is no operation. */
  readonly operation: Operation | undefined;
  readonly inputs: readonly Input[];
  /** Each way that the result may look. */
  readonly results: readonly (readonly Member[])[];
}

export interface PublicApi {
  readonly names: readonly PublicName[];
  readonly groups: readonly {
    readonly name: string;
    readonly doc: Doc;
    readonly methods: readonly Method[];
  }[];
}

/** The front in the order of its work, then what else stands beside the groups. */
const FIRST = ['check', 'plan', 'approve', 'send', 'settle', 'run', 'report', 'status', 'explain', 'close'];

const WRITTEN = ['PayfileOptions', 'Dialogue', 'WorkOptions', 'NamedOutputs'];

export async function readApi(): Promise<PublicApi> {
  const api = new API();
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    const file = project?.program.getSourceFile(join(ROOT, 'src/index.ts'));
    if (project === undefined || file === undefined) throw new Error('The library has no index.');
    return await new Reader(project.checker).read(project.checker.getSymbolAtLocation(file));
  } finally {
    api.close();
  }
}

class Reader {
  readonly #checker: Checker;
  #public: ReadonlySet<string> = new Set();
  constructor(checker: Checker) {
    this.#checker = checker;
  }

  async read(index: Declared | undefined): Promise<PublicApi> {
    if (index === undefined) throw new Error('The index exports nothing.');
    const exported = this.#checker.getExportsOfModule(index).map((symbol) => ({
      name: symbol.name,
      target: symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol,
    }));
    this.#public = new Set(exported.map(({ name }) => name));
    const payfile = exported.find(({ name }) => name === 'Payfile')?.target;
    if (payfile === undefined) throw new Error('Payfile is not public.');
    return {
      names: exported.map(({ name, target }) => ({
        name,
        kind: kindOf(target),
        doc: this.#docOf(target),
        members: WRITTEN.includes(name) ? this.#membersOf(this.#checker.getDeclaredTypeOfSymbol(target)) : [],
      })),
      groups: await this.#groupsOf(this.#checker.getDeclaredTypeOfSymbol(payfile)),
    };
  }

  async #groupsOf(payfile: Type): Promise<PublicApi['groups']> {
    const all = this.#checker.getPropertiesOfType(payfile);
    const inGroups = new Set(Object.keys(GROUPS));
    const rank = ({ name }: Declared) => (FIRST.indexOf(name) + FIRST.length) % FIRST.length;
    const own = all.filter(({ name }) => !inGroups.has(name));
    const front = own
      .filter(({ name }) => FIRST.includes(name))
      .sort((one, other) => rank(one) - rank(other));
    const others = own.filter(({ name }) => !FIRST.includes(name));
    const none: Doc = { text: '', errors: [], exitCodes: [], example: undefined };
    const groups = all.filter(({ name }) => inGroups.has(name));
    return [
      { name: '', doc: none, methods: await this.#methodsOf(front, FRONT, '') },
      ...(await Promise.all(
        groups.map(async (group) => {
          const { name } = group;
          const listed = GROUPS[name as keyof typeof GROUPS];
          const methods = this.#checker.getPropertiesOfType(this.#typeOf(group));
          return {
            name,
            doc: this.#docOf(group),
            methods: await this.#methodsOf(methods, listed, `${name}.`),
          };
        }),
      )),
      { name: 'others', doc: none, methods: await this.#methodsOf(others, {}, '') },
    ];
  }

  #methodsOf(
    symbols: readonly Declared[],
    listed: Readonly<Record<string, ListedOperation>>,
    group: string,
  ): Promise<readonly Method[]> {
    return Promise.all(
      symbols.map(async (symbol) => {
        const operation = await listed[symbol.name]?.load();
        const [signature] = this.#checker.getSignaturesOfType(this.#typeOf(symbol), SignatureKind.Call);
        const asked = signature && this.#checker.getParameterType(signature, 0);
        // Where every input may be left out, so may all of them.
        const given = asked && (this.#checker.getNonNullableType(asked) ?? asked);
        const answer = signature && this.#checker.getReturnTypeOfSignature(signature);
        return {
          name: group + symbol.name,
          doc: this.#docOf(symbol),
          operation,
          inputs: operation === undefined || given === undefined ? [] : this.#inputsOf(operation, given),
          results: operation === undefined || answer === undefined ? [] : this.#resultsOf(answer),
        };
      }),
    );
  }

  #inputsOf(operation: Operation, given: Type): readonly Input[] {
    const types = new Map(this.#membersOf(given).map((member) => [member.name, member]));
    return fieldsOf(operation).map(({ name, isNeeded, ...about }) => {
      const { type = '', text = '' } = types.get(name) ?? {};
      const schema = operation.input.shape[name] as Schema;
      const { data: usual } = schema.safeParse(undefined);
      const wrong = schema.safeParse(Symbol.iterator).error?.issues[0]?.message ?? '';
      const expected = /^Invalid/.test(wrong) ? '' : wrong;
      return { name, type, isOptional: !isNeeded, text: inputText(name, about, text), usual, expected };
    });
  }

  #resultsOf(answer: Type): readonly (readonly Member[])[] {
    const [inside = answer] = this.#checker.getTypeArguments(
      answer as Parameters<Checker['getTypeArguments']>[0],
    );
    const each = inside.isUnionType() ? inside.getTypes() : [inside];
    return each.map((one) => this.#membersOf(one));
  }

  #membersOf(type: Type): readonly Member[] {
    return this.#checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      type: this.#shown(this.#typeOf(symbol)),
      isOptional: (symbol.flags & SymbolFlags.Optional) !== 0,
      text: oneLine(this.#docOf(symbol).text),
    }));
  }

  /** A public name or a short type as it is; of any other type the names of its members. */
  #shown(type: Type): string {
    const whole = this.#checker
      .typeToString(type)
      .replace(/^\((.*)\) \| undefined$|^(.*) \| undefined$/, '$1$2')
      .replace(/^readonly /, '')
      .replaceAll('{ minor: bigint; currency: CurrencyCode; }', 'Money')
      .replaceAll('"', "'");
    const bare = this.#checker.getNonNullableType(type) ?? type;
    const isNull = /\| null$/.test(whole) ? ' | null' : '';
    const named = bare.getSymbol()?.name ?? '';
    if (this.#checker.isArrayType(bare) && whole !== 'Money[]') {
      const [of] = this.#checker.getTypeArguments(bare as Parameters<Checker['getTypeArguments']>[0]);
      return `${of === undefined ? 'unknown' : inList(this.#shown(of))}[]${isNull}`;
    }
    const isOwn = /^[A-Z]\w+( \| null)?$/.test(whole) && !this.#public.has(named) && bare.isObjectType();
    if (whole.length <= 60 && !whole.includes('...') && !isOwn) return whole;
    if (bare.isUnionType()) return whole.replaceAll(/\{[^{}]*\}/g, '{…}');
    if (named.endsWith('Map')) return whole.length > 60 ? 'object' : whole;
    const names = this.#checker.getPropertiesOfType(bare).map(({ name }) => name);
    return names.length === 0 ? whole : `{ ${names.join(', ')} }${isNull}`;
  }

  #typeOf(symbol: Declared): Type {
    const type = this.#checker.getTypeOfSymbol(symbol);
    if (type === undefined) throw new Error(`${symbol.name} has no type.`);
    return type;
  }

  #docOf(symbol: Declared): Doc {
    const said = this.#checker.getDocumentationCommentOfSymbol(symbol);
    const example = this.#checker.getJsDocTagsOfSymbol(symbol).find(({ name }) => name === 'example');
    const listedAfter = (word: string) =>
      new RegExp(`^${word}: ([^.]*)`, 'm').exec(said)?.[1]?.split(/,\s*| and | from /) ?? [];
    const text = said.replace(/^(Errors|Exit codes): [^.]*\.$/gm, '').trim();
    return {
      text,
      errors: listedAfter('Errors').filter((word) => /^[A-Z]\w+$/.test(word)),
      exitCodes: listedAfter('Exit codes').map(Number),
      example: example === undefined ? undefined : textOf(example.text),
    };
  }
}

interface Schema {
  safeParse(value: unknown): {
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
  };
}

function kindOf({ name, flags }: Declared): PublicName['kind'] {
  if (flags & SymbolFlags.Function || /^(parse|format|create)[A-Z]/.test(name)) return 'function';
  if (flags & SymbolFlags.Class) return 'error';
  return flags & SymbolFlags.Variable ? 'value' : 'type';
}

/** Inputs that mean the same in every method, and that the command line names by their place. */
const COMMON: Readonly<Record<string, string>> = {
  account: 'the account number',
  after: 'what the page before ended with',
  answer: 'what the browser signed, as text',
  amount: 'in the currency of the destination',
  batch: 'the name or the id of the batch',
  batches: 'names or ids of batches',
  country: 'a name, an ISO code or an id of the service',
  credentialId: 'the passkey',
  digest: 'of the plan that was seen',
  edits: 'corrections of single cells, which the file is read with',
  file: 'the path of the file',
  fileName: 'of the file, without its folder',
  from: 'the country that the money comes from',
  id: 'of the transfer, as the service gave it',
  institution: 'an id of the service, or COUNTRY/NAME',
  limit: 'the most that come back',
  correct: 'with `asInput`: this row alone, with corrected cells',
  maskAccounts: 'show the last four characters of account numbers alone',
  name: 'what it is called',
  nonce: 'of the question that was signed',
  noteAccounts: 'keep in the journal that whole account numbers were given out',
  origin: 'of the page, such as https://pay.example',
  output: 'the path of the file that is written',
  payouts: 'ids of rows',
  person: 'the name of the person',
  row: 'the number of the row, or its reference',
  rows: 'numbers of rows, or their references',
  statuses: 'only rows in these states',
  ticket: 'as `people.invite` gave it',
  to: 'the country or the place that it goes to',
};

/** What the command line says, then what only programs need to know. */
function inputText(name: string, { help = COMMON[name] }: Pick<InputSyntax, 'help'>, doc: string): string {
  if (help === undefined) return doc;
  return doc === '' ? help : `${help}. ${doc}`;
}

const inList = (type: string) => (/^[^{]* \| /.test(type) ? `(${type})` : type);

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function textOf(text: unknown): string {
  if (typeof text === 'string') return text.trim();
  return Array.isArray(text)
    ? text
        .map((part: { text?: string }) => part.text ?? '')
        .join('')
        .trim()
    : '';
}
