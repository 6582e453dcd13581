/** Makes a ledger's file one of the first version, as programs wrote it that knew no later step. */
import { DatabaseSync } from 'node:sqlite';

export function asFirstVersion(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(
    'DROP TRIGGER sums_taken; DROP TRIGGER sums_moved; DROP TABLE sums; DROP INDEX payouts_words; DROP INDEX payouts_beside; DROP INDEX journal_decided',
  );
  db.exec(
    'DROP INDEX payouts_other; ALTER TABLE payouts DROP COLUMN other_id; DROP TABLE older_readings; DROP TABLE read_before',
  );
  db.exec('DROP TABLE part_leases; ALTER TABLE leases DROP COLUMN parts');
  db.exec('PRAGMA user_version = 1');
  db.close();
}
