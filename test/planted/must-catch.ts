/** The mistakes that a program of this kind is known to make: each of them must be caught by a test. */

export interface MustCatch {
  readonly bug: string;
  /** Why it cannot be planted here. */
  readonly leftOut?: string;
}

export const MUST_CATCH: Readonly<Record<string, MustCatch>> = {
  retry_on_reset: { bug: 'a transfer is sent again after a connection reset' },
  retry_on_502: { bug: 'a transfer is sent again after a 502 of a gateway' },
  retry_on_timeout: { bug: 'a transfer is sent again after its answer did not come in time' },
  intent_after_write: { bug: 'the intent is written down after the request left' },
  commit_without_sync: { bug: 'a commit does not wait for the disk' },
  recovery_requeues: { bug: 'recovery puts a row that was on the wire back among those to send' },
  lease_end_requeues: { bug: 'a lease that ends puts rows on the wire back among those to send' },
  claim_without_compare: { bug: 'a row is taken without comparing its version' },
  follows_307: { bug: 'a 307 is followed, so that the body is sent a second time' },
  fetch_with_421: { bug: 'a 421 makes the transport send the request a second time' },
  agent_false: { bug: 'an option makes Node open another connection than the prepared one' },
  keep_alive_reuse: { bug: 'a transfer goes out on a connection that was used before' },
  post_retried: { bug: 'transfers are among the requests that are tried again' },
  token_renewed_in_post_loop: { bug: 'a refused token is renewed and the transfer repeated without proof' },
  empty_code_is_zero: { bug: 'an empty code is taken for zero' },
  truncated_accepted: { bug: 'an answer that was cut off is taken for whole' },
  id_precision: { bug: 'a long numeric id loses its last digits' },
  id_only_logged: { bug: 'a transfer id is in the log alone when it cannot be stored' },
  report_from_memory: { bug: 'the report tells what the run remembers instead of what the ledger holds' },
  dedupe_on_bytes: { bug: 'a file is recognised by its bytes alone' },
  dedupe_drops_row: { bug: 'a repeated row is dropped without a word' },
  blank_rule_drops_row: { bug: 'a row with something wrong in it is passed over as blank' },
  rounding: { bug: 'an amount with too many decimals is rounded' },
  empty_amount_is_zero: { bug: 'text that is no number is read as one' },
  day_and_month_swapped: { bug: 'day and month of a date are swapped' },
  nan_expiry: { bug: 'an expiry that cannot be read means that a token never ends' },
  second_interrupt: { bug: 'a second interrupt loses outcomes that were not written yet' },
  disk_full_ignored: { bug: 'a full disk at the outcome is ignored' },
  breaker_ignores_doubt: { bug: 'the breaker counts refusals and not doubts' },
  not_paid_while_alive: { bug: '“not paid” may be ruled while an answer can still come' },
  hidden_rows_skipped: { bug: 'hidden rows are passed over without a word' },
  poll_error_is_failed: { bug: 'a question about a status that goes wrong ends the row as failed' },
};
