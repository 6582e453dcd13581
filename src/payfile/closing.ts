/**
 * Closing: nothing more is begun, the work under way stops as when its signal is aborted and is waited for, and only then
 * the ledger and the service are closed. An answer that is still on its way is written down.
 */
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { FleetMethods } from './fleet.ts';

export type Methods = FleetMethods;

/** The method was called after `close`. */
export class PayfileClosed extends Error {
  override readonly name = 'PayfileClosed';
  readonly code = 'closed';
  constructor() {
    super('This payfile was closed; open another with createPayfile.');
  }
}

type KeysOf<Value> = Value extends object ? keyof Value : never;
/** Numbers of the arguments that have a signal. */
type SignalAt<Given> = {
  [At in keyof Given]: At extends `${infer Number extends number}`
    ? 'signal' extends KeysOf<Given[At]>
      ? Number
      : never
    : never;
}[keyof Given & `${number}`];
type SignalOf<Method> = Method extends (...given: infer Given) => unknown ? SignalAt<Required<Given>> : never;

/** Which argument of a method has the signal that stops it. */
const OPTIONS_AT: {
  readonly [Name in keyof Methods as [SignalOf<Methods[Name]>] extends [never] ? never : Name]: SignalOf<
    Methods[Name]
  >;
} = {
  work: 0,
};

type Method = (...given: unknown[]) => Promise<unknown>;

interface Closable {
  /** What a method takes of what it is given, checked. */
  readonly taken: (name: keyof Methods, given: readonly unknown[]) => unknown[];
  /** Stops whoever else works with the same parts; begun before anything is waited for. */
  readonly closeOthers: () => Promise<unknown>;
  readonly closeParts: () => Promise<void>;
}

interface Closing {
  close(): Promise<void>;
  isClosed(): boolean;
  /** Work that closing stops and waits for. Errors: PayfileClosed, if it comes after it. */
  during<Result>(dialogue: Dialogue, work: (dialogue: Dialogue) => Promise<Result>): Promise<Result>;
}

/** The methods until they are closed; from then on each is refused with PayfileClosed. */
export function untilClosed(
  methods: Methods,
  { taken, closeOthers, closeParts }: Closable,
): Methods & Closing {
  const stopping = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping.abort(new PayfileClosed());
    const others = closeOthers();
    await Promise.allSettled(atWork);
    await others;
    await closeParts();
  };
  const requireOpen = () => {
    if (closing !== undefined) throw new PayfileClosed();
  };
  const kept = <Result>(working: Promise<Result>) => {
    atWork.add(working);
    return working.finally(() => atWork.delete(working));
  };
  const guarded = ([name, method]: [string, Method]): [string, Method] => {
    const at: number | undefined = (OPTIONS_AT as Readonly<Record<string, number>>)[name];
    const work: Method = async (...all) => {
      requireOpen();
      const given = taken(name as keyof Methods, all);
      if (at !== undefined) given[at] = stoppedBy(stopping.signal, given[at]);
      return kept(method(...given));
    };
    return [name, work];
  };
  return {
    ...(Object.fromEntries(Object.entries(methods).map(guarded)) as unknown as Methods),
    isClosed: () => closing !== undefined,
    async during(dialogue, work) {
      requireOpen();
      return kept(work(stoppedBy(stopping.signal, dialogue)));
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function stoppedBy(closing: AbortSignal, options: unknown): Dialogue {
  const given = options as Dialogue | undefined;
  const signal = given?.signal;
  return { ...given, signal: signal === undefined ? closing : AbortSignal.any([signal, closing]) };
}
