/** How one batch stands, as the view of `status` gets it. */
import { type BatchState, status } from '../../src/operations/status.ts';
import type { Payfile } from '../../src/payfile.ts';

export async function stateOf(payfile: Pick<Payfile, 'call'>, batch: string): Promise<BatchState> {
  const result = await payfile.call(status, { batch });
  if (result.kind !== 'one') throw new TypeError('status of one batch answered for all');
  return result;
}
