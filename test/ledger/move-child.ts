/**
 * A process that moves a ledger and dies at a step. Arguments: the settings as JSON, the place, the step or `-`.
 */
import { createPayfile, type Dialogue, type PayfileOptions } from '../../src/payfile.ts';

const [settings = '{}', to = '', dies = '-'] = process.argv.slice(2);
const payfile = createPayfile(JSON.parse(settings) as PayfileOptions);
const listener: Dialogue = {
  onProgress(event) {
    if (event.kind !== 'move') return;
    const { doing, table, rows = 0 } = event.step;
    const step = table === undefined ? doing : `${doing} ${table}`;
    if (step === dies && (table === undefined || rows > 0)) process.kill(process.pid, 'SIGKILL');
  },
};
await payfile.ledger.move({ to }, listener);
await payfile.close();
