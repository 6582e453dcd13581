/** Yardstick: csv-stringify alone, as many rows and columns as the report has. Arguments: rows, target. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { rowOf } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

const [count = '0', path = ''] = process.argv.slice(2);
const ours = [
  '2',
  'planned',
  'Written down; nothing asked of anyone yet.',
  'payfile plan',
  '',
  '',
  '',
  '',
  'GHS',
  '100.00',
  '',
  '',
  '',
  '',
  '0',
  '',
  '',
  '',
  '',
];
function* rows() {
  for (let index = 0; index < Number(count); index += 1) yield [...rowOf(index), ...ours];
}
const started = performance.now();
await pipeline(Readable.from(rows()), stringify({ quoted_match: /^\s|\s$/ }), createWriteStream(path));
printResult({ ms: performance.now() - started, rows: Number(count) });
