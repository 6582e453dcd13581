/**
 * What is done to a process, and where. The names of the boundaries are those of the ledger's life: J0 the import
 * is sealed, J1 holds, J2 names and quotes, J3 approval, J4 the intent, WRITE and RESPONSE on the wire, J5 the
 * outcome, J6 the end of a transfer, J7 a ruling, J8 the report, J9 the remembered head.
 */
export const LABELS = [
  'CREATE',
  'J0',
  'J1',
  'J2',
  'J3',
  'J4',
  'WRITE',
  'RESPONSE',
  'J5',
  'J6',
  'J7',
  'J8_SYNC',
  'J8',
  'J9',
  'RECOVER',
] as const;
/** HAND_OUT: on a server, whoever leads a sending lets others take its parts. */
export type Label = (typeof LABELS)[number] | 'HAND_OUT';

/** Within: half of the bytes are handed over; for WRITE alone. */
export type When = 'before' | 'within' | 'after';

/** stop: SIGSTOP. throw: an error that nobody catches. The others fail as storage or memory does. */
export type Act =
  | 'kill'
  | 'stop'
  | 'throw'
  | 'out_of_memory'
  | 'disk_full'
  | 'disk_and_sidecar_full'
  | 'fsync_error';

export type Blow =
  | {
      readonly kind: 'boundary';
      readonly label: Label;
      readonly when: When;
      /** Counted from 1, in one process. */
      readonly nth: number;
      readonly act?: Act;
    }
  /** The n-th of all things that the process does to the world. */
  | { readonly kind: 'event'; readonly nth: number; readonly act?: Act }
  /** From outside, so many milliseconds after the start. */
  | { readonly kind: 'time'; readonly ms: number; readonly act?: Act };

/** All places where a process can be killed by name. */
export const PLACES: readonly { readonly label: Label; readonly when: When }[] = LABELS.flatMap((label) => {
  const whens: readonly When[] = label === 'WRITE' ? ['before', 'within', 'after'] : ['before', 'after'];
  return whens.map((when) => ({ label, when }));
});
