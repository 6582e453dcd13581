/** Yardstick: csv-parse alone, arrays, streamed. Argument: file. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { printResult } from '../work-result.ts';

const [path = ''] = process.argv.slice(2);
const started = performance.now();
let rows = 0;
for await (const _cells of createReadStream(path).pipe(parse())) rows += 1;
printResult({ ms: performance.now() - started, rows });
