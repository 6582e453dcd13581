/**
 * Notes: entries of a batch's journal that change no payout, and what each kind holds. They are kept for ever.
 */

import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { BatchId, Digest, PayoutId, TransferId } from '../../domain/payouts/instruction.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import type { EventKind } from '../../domain/payouts/payout-event.ts';
import type { Said } from '../../domain/reading/answer.ts';
import type { AdviceFormat } from '../../domain/reporting/advice.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import type { InstitutionId } from '../../domain/rows/directory.ts';
import type { LinesLeftOut } from '../../domain/rows/lines-left-out.ts';
import type { Field } from '../../domain/rows/row.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface Notes {
  /** A payment that was called unpaid turned out paid. `what` finishes the sentence “Row 7: …”. */
  readonly incident: { readonly payout: PayoutId; readonly row: number; readonly what: string };
  /** The service accepted a transfer after somebody had ended its doubt. */
  readonly late_acceptance_not_applied: {
    readonly payout: PayoutId;
    readonly row: number;
    readonly transferId: TransferId;
    readonly status: Status;
  };
  /** An outcome of the emergency file that did not fit the payout any more. `body` is the event's. */
  readonly emergency_not_applied: {
    readonly payout: PayoutId;
    readonly status: Status;
    readonly attempt: number | undefined;
    readonly event: EventKind;
    readonly body: unknown;
  };
  /** Why a person pays a row again sooner than the policy allows. */
  readonly reissue_evidence: {
    readonly payout: PayoutId;
    readonly by: string;
    readonly evidence: string;
    /** What the service showed then: only a part came back. */
    readonly against?: string | undefined;
  };
  /** Whoever made the batch may not approve it, whatever the policy says later. */
  readonly four_eyes: { readonly by: string };
  /** The batch is approved with a passkey, whatever the policy says later. */
  readonly approval_passkey: { readonly by: string };
  /** A plan was shown to somebody. */
  readonly plan_seen: { readonly digest: Digest };
  /** The service asked for no transfers until then. */
  readonly rate_limited: { readonly until: Timestamp };
  /** The connection of this attempt is closed: no answer can come any more. */
  readonly attempt_closed: { readonly payout: PayoutId; readonly attempt: number };
  /**
   * What a payment of a corridor and an amount (minor units) may cost. Decimals. The amount was in the first plan of the
   * corridor, joined in a later plan, or was approved by a person since.
   */
  readonly baseline: {
    readonly corridor: string;
    readonly minor: string;
    readonly rate: string;
    readonly fee: string;
    readonly sourceCurrency?: CurrencyCode;
    readonly from: 'first_plan' | 'later_plan' | 'approval';
  };
  /** Terms moved, so that rows need one more approval. `what`: cost, country, institution or account holder. */
  readonly terms_moved: {
    readonly currency: string;
    readonly what: string;
    readonly was: string;
    readonly now: string;
  };
  readonly institution_set_aside: { readonly institution: InstitutionId };
  /** `since`: the entry of the journal behind which its rows are; undefined: this note. */
  readonly canary: { readonly rows: number; readonly since?: number; readonly by?: string };
  /** A look-up found the first transfer of a live ledger. */
  readonly first_transfer_found: { readonly payout: PayoutId };
  /** A run warned about a word of the service after Finished. */
  readonly unknown_word_told: { readonly word: string };
  /** A person was given whole account numbers: of one row, or (no `payout`) of all. `where` finishes “shown …”. */
  readonly account_shown: {
    readonly by: string;
    readonly where: string;
    readonly payout?: PayoutId;
    readonly row?: number;
  };
  /** Advice was made of all payments that were settled then. `contact`: with phones, which may be accounts of wallets. */
  readonly advice_made: {
    readonly by: string;
    readonly rows: number;
    readonly format: AdviceFormat;
    readonly contact: boolean;
  };
  /** A cell of the file was corrected beside it. Whole accounts may stand here. */
  readonly cell_corrected: CellCorrected;
  /**
   * Somebody shaped what is paid, and no row tells: as a person whom this passkey let in, by having said how the file is
   * read, or (neither) with a program that named the maker.
   */
  readonly shaped: { readonly by: string; readonly passkey?: string; readonly how?: 'reading' };
  /** What was said of the file as it was read last: whoever agrees did not say it. `reading`: the kept one. */
  readonly answers_said: { readonly answers: readonly Said[]; readonly reading?: string };
  /** Lines of the file that are no payments, as it was read last. */
  readonly lines_left_out: LinesLeftOut;
  /** Somebody's sending is about to write down its first intent; one for each sending, with how many rows it may send. */
  readonly sending_begun: { readonly by: string; readonly command: string; readonly rows: number };
  /** Rows that an earlier process left on the wire are about to be called in doubt by this one. */
  readonly sending_recovered: { readonly by: string; readonly command: string; readonly rows: number };
  /** A person said that the batch pays those of another batch once more. */
  readonly repeats_released: { readonly of: BatchId; readonly by: string };
  /** Somebody compared the batch with a statement. */
  readonly statement_compared: StatementCompared;
}

export interface StatementCompared {
  readonly by: string;
  /** Of the file. */
  readonly name: string;
  readonly sha256: string;
  readonly lines: number;
  /** Its first and last date, as they are written. */
  readonly first?: string;
  readonly last?: string;
  /** By its own balances. */
  readonly isComplete: boolean;
  /** Payments that agree with their lines, and those that a person has to look at. */
  readonly matched: number;
  readonly open: number;
  /** What its lines show of payments otherwise than it was booked, and explain. */
  readonly figures: readonly ComparedFigures[];
}

/** Minor units of the currency, as text. */
export interface ComparedFigures {
  readonly payout: PayoutId;
  readonly currency: CurrencyCode;
  /** With the fee. */
  readonly whole: string;
  readonly fee: string;
}

export interface CellCorrected extends Omit<Required<CellEdit>, 'column' | 'by' | 'at'> {
  /** SHA-256 of the file with its corrections: rows of another file have other numbers. */
  readonly file: string;
  /** Its header, or its letters. */
  readonly column: string;
  /** What it holds; left out of a column of the user's own. */
  readonly field?: Field;
  readonly by: string;
  /** When it was corrected. */
  readonly at: Timestamp;
}

export type NoteKind = keyof Notes;

export interface Note<Kind extends NoteKind> {
  readonly seq: number;
  readonly at: Timestamp;
  readonly body: Notes[Kind];
}
