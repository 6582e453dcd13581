/** As much of JSON Schema as samples/report.schema.json uses; an unknown keyword is an error, not a pass. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const SAYS_NOTHING = ['$schema', '$defs', 'title', 'description'];

export function faultsAgainst(schema: Schema, value: unknown, root = schema, at = '$'): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (SAYS_NOTHING.includes(keyword)) return [];
    return faultsOf(keyword, { rule, schema, value, root, at });
  });
}

interface Question {
  readonly rule: unknown;
  readonly schema: Schema;
  readonly value: unknown;
  readonly root: Schema;
  readonly at: string;
}

function faultsOf(keyword: string, question: Question): string[] {
  const { rule, value, root, at } = question;
  const ok = (isGood: boolean) => (isGood ? [] : [`${at}: ${keyword} ${JSON.stringify(rule)}`]);
  switch (keyword) {
    case '$ref':
      return faultsAgainst(
        root.$defs?.[String(rule).replace('#/$defs/', '')] ?? { never: true },
        value,
        root,
        at,
      );
    case 'const':
      return ok(value === rule);
    case 'enum':
      return ok((rule as unknown[]).includes(value));
    case 'type':
      return ok([rule].flat().includes(typeOf(value)) || (rule === 'integer' && Number.isInteger(value)));
    case 'pattern':
      return ok(typeof value !== 'string' || new RegExp(String(rule)).test(value));
    case 'minimum':
      return ok(typeof value !== 'number' || value >= Number(rule));
    case 'minItems':
      return ok(!Array.isArray(value) || value.length >= Number(rule));
    case 'items':
      return (value as unknown[]).flatMap((item, nth) =>
        faultsAgainst(rule as Schema, item, root, `${at}[${nth}]`),
      );
    case 'required':
      return ok(value === null || (rule as string[]).every((key) => Object.hasOwn(value as object, key)));
    case 'properties':
    case 'additionalProperties':
      return memberFaults(keyword, question);
    default:
      throw new Error(`The check does not know “${keyword}”`);
  }
}

function memberFaults(keyword: string, { rule, schema, value, root, at }: Question): string[] {
  const known = schema.properties ?? {};
  if (value === null) return [];
  return Object.entries(value as object).flatMap(([key, member]) => {
    const isKnown = Object.hasOwn(known, key);
    const place = `${at}.${key}`;
    if (keyword === 'properties') return isKnown ? faultsAgainst(known[key] ?? {}, member, root, place) : [];
    if (isKnown) return [];
    return rule === false
      ? [`${place}: is not named in samples/report.schema.json`]
      : faultsAgainst(rule as Schema, member, root, place);
  });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
