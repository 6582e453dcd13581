/** Ours: `check` of the library, after a small file for warming up. Arguments: folder, service JSON, small file, file. */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { checkFile } from '../../builders/library-calls.ts';
import { payfileIn } from '../console-place.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [folder = '', service = '{}', small = '', path = ''] = process.argv.slice(2);
const payfile = payfileIn({ folder, service });
await checkFile(payfile, small);
const before = process.cpuUsage();
const started = performance.now();
const { rows, invalid } = await checkFile(payfile, path);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(before);
await payfile.close();
printResult({ ms, rows, note: `${Math.round((user + system) / 1_000)} ms CPU, ${invalid} invalid` });
