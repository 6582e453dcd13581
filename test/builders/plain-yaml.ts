/**
 * Reads the part of YAML that our samples use: maps and lists by indentation, values on one line, `{}`, and merged maps
 * (`&name`, `<<: *name`). Throws for everything else.
 */
export type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

export function isMap(value: Plain): value is { readonly [key: string]: Plain } {
  return typeof value === 'object' && !Array.isArray(value);
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

export function plainYaml(text: string): Plain {
  const lines = text.split('\n').flatMap((line): Line[] => {
    const [, spaces = '', rest = ''] = /^( *)(.*)$/.exec(line) ?? [];
    if (/^(#|$)/.test(rest)) return [];
    if (/\t|\s$/.test(line)) throw new SyntaxError(`Not plain: “${line}”`);
    return [{ indent: spaces.length, text: rest }];
  });
  const named = new Map<string, Plain>();
  const [value, left] = blockOf(lines, 0, named);
  if (left.length > 0) throw new SyntaxError(`Not in its place: “${left[0]?.text}”`);
  return value;
}

function blockOf(
  lines: readonly Line[],
  indent: number,
  named: Map<string, Plain>,
): [Plain, readonly Line[]] {
  const list: Plain[] = [];
  const map: Record<string, Plain> = {};
  let left = lines;
  for (let [line] = left; line?.indent === indent; [line] = left) {
    left = left.slice(1);
    const [, item] = /^- (.+)$/.exec(line.text) ?? [];
    const [, key, anchor, inline] = /^([\w./<-]+):(?: &(\w+))?(?: (.+))?$/.exec(line.text) ?? [];
    if (item !== undefined && Object.keys(map).length === 0) {
      if (/^[\w./-]+:( |$)/.test(item)) {
        const first = { indent: indent + 2, text: item };
        const [entry, rest] = blockOf([first, ...left], indent + 2, named);
        list.push(entry);
        left = rest;
      } else list.push(scalar(item));
    } else if (key === '<<' && inline?.startsWith('*'))
      Object.assign(map, named.get(inline.slice(1)) ?? fail(line));
    else if (key !== undefined && list.length === 0 && !(key in map)) {
      const deeper = (left[0]?.indent ?? 0) > indent ? left[0]?.indent : undefined;
      if (inline !== undefined) map[key] = scalar(inline);
      else if (deeper === undefined) map[key] = '';
      else [map[key], left] = blockOf(left, deeper, named);
      if (anchor !== undefined) named.set(anchor, map[key] ?? '');
    } else fail(line);
  }
  return [list.length > 0 ? list : map, left];
}

/** What stands there as it is; nothing that YAML would read as more than text. */
function scalar(text: string): Plain {
  if (text === '{}') return {};
  const [, quoted] = /^"([^"\\]*)"$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  if (/^[\s"'[\]{}&*!|>%@`#]|^-( |$)|: | #|:$/.test(text)) throw new SyntaxError(`Not plain: “${text}”`);
  return text;
}

function fail({ text }: Line): never {
  throw new SyntaxError(`Not plain: “${text}”`);
}
