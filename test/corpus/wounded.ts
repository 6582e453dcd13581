/** Files damaged at random, for the fuzz tests. */

import type { Random } from '../builders/random.ts';

const SPICE = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\ufeff',
  '\u200b',
  '\u202e',
  '\u00a0',
  "'",
  '=',
  '0',
  '1E+9',
  '-',
  '<',
  '>',
  '&',
  '&a;',
  '<!DOCTYPE x>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '</row>',
  '<row>',
  '<c r="ZZZ9">',
  '</c>',
  '<v>',
  ' hidden="1"',
  ' t="s"',
  ' r="A0"',
  ' s="99"',
  '9'.repeat(400),
  '\ud800',
  '\uffff',
].map((text) => Buffer.from(text, 'utf8'));

/** A few random wounds: bytes changed, cut out, doubled, moved, or spiced. */
export function wounded(bytes: Buffer, { below, pick }: Random): Buffer {
  let result = Buffer.from(bytes);
  for (let wounds = 1 + below(4); wounds > 0; wounds -= 1) {
    const at = below(result.length + 1);
    const length = below(Math.min(64, result.length - at) + 1);
    const head = result.subarray(0, at);
    const rest = result.subarray(at + length);
    const cut = result.subarray(at, at + length);
    switch (below(6)) {
      case 0:
        result = Buffer.concat([head, rest]);
        break;
      case 1:
        result = Buffer.concat([head, cut, cut, rest]);
        break;
      case 2:
        result = Buffer.concat([head, pick(SPICE), result.subarray(at)]);
        break;
      case 3:
        result = Buffer.concat([
          head,
          Buffer.from([below(256)]),
          result.subarray(Math.min(at + 1, result.length)),
        ]);
        break;
      case 4:
        result = Buffer.concat([head, pick(SPICE), rest]);
        break;
      default:
        result = below(8) === 0 ? Buffer.from(head) : Buffer.concat([rest, cut]);
    }
  }
  return result;
}
