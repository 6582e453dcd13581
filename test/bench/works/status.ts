/** Ours: `payfile status`, for its memory. Arguments: folder, service JSON. */
import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { callMain } from '../../builders/process-context.ts';
import { environmentOf } from '../console-place.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [folder = '', service = '{}'] = process.argv.slice(2);
const started = performance.now();
const { code, stdout } = await callMain(['status'], { folder, env: environmentOf({ folder, service }) });
printResult({ ms: performance.now() - started, rows: stdout.split('\n').length, note: `ends with ${code}` });
