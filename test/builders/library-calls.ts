/** Operations on files and plans with their whole results, which hosts have and a program does not. */
import { approve, planToAgree } from '../../src/operations/approve.ts';
import { check } from '../../src/operations/check.ts';
import { columns, proposedName } from '../../src/operations/file.ts';
import type { InputOf } from '../../src/operations/operation.ts';
import { plan, price } from '../../src/operations/plan.ts';
import {
  forgetReading as forget,
  readings as list,
  saveReading as save,
} from '../../src/operations/reading.ts';
import type { Dialogue, Payfile } from '../../src/payfile.ts';

type Calls = Pick<Payfile, 'call'>;
type Options<Of extends Parameters<Calls['call']>[0], Word extends string> = Omit<InputOf<Of>, Word> &
  Dialogue;

/** A dialogue stands beside the input. */
function split<Given extends Dialogue>({ signal, onProgress, ask, ...given }: Given) {
  const said = Object.entries({ signal, onProgress, ask }).filter(([, value]) => value !== undefined);
  return [given, Object.fromEntries(said) as Dialogue] as const;
}

export function checkFile(payfile: Calls, file: string, options: Options<typeof check, 'file'> = {}) {
  const [given, dialogue] = split(options);
  return payfile.call(check, { ...given, file }, dialogue);
}

export function planFile(payfile: Calls, file: string, options: Options<typeof plan, 'file'> = {}) {
  const [given, dialogue] = split(options);
  return payfile.call(plan, { ...given, file }, dialogue);
}

export function approvePlan(
  payfile: Calls,
  batch: string,
  digest?: string,
  options: Options<typeof approve, 'batch' | 'digest'> = {},
) {
  const [given, dialogue] = split(options);
  return payfile.call(approve, { ...given, batch, ...(digest !== undefined && { digest }) }, dialogue);
}

export const planShown = (payfile: Calls, batch: string) => payfile.call(planToAgree, { batch });

export const priceBatch = (payfile: Calls, batch: string) => payfile.call(price, { batch });

export const columnsOf = (
  payfile: Calls,
  file: string,
  options: Omit<InputOf<typeof columns>, 'file'> = {},
) => payfile.call(columns, { ...options, file });

export const nameFor = async (payfile: Calls, fileName: string) =>
  (await payfile.call(proposedName, { fileName })).name;

export const readingsOf = (payfile: Calls) => payfile.call(list, {});

export const saveReading = (
  payfile: Calls,
  name: string,
  file: string,
  said: Omit<InputOf<typeof save>, 'name' | 'file'> = {},
) => payfile.call(save, { ...said, name, file });

export const forgetReading = (payfile: Calls, name: string) => payfile.call(forget, { name });
