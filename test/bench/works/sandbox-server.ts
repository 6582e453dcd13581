/** The service for send benchmarks, in its own process. Arguments: latency in ms. Prints its addresses; ends with its parent. */
import { parseScenario } from '../../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';

/** More rows than any benchmark pays: a full book takes no more transfers. */
const ENTRIES_MAX = 4_000_000;

const [latency = '0'] = process.argv.slice(2);
const sandbox = await startSandbox({
  latencyMs: Number(latency),
  seed: 1,
  bookEntriesMax: ENTRIES_MAX,
  scenario: parseScenario('plain-accounts'),
});
console.log(JSON.stringify({ baseUrl: sandbox.baseUrl, authUrl: sandbox.authUrl, ...sandbox.credentials }));
process.stdin.on('end', () => void sandbox.close().then(() => process.exit(0)));
process.stdin.resume();
