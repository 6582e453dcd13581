/**
 * The tables of a ledger on PostgreSQL: the tables of a ledger file, with the functions that their statements call.
 * This is format 1. After the first release only a migration changes it (storage/migrations.ts).
 */
import { FIND_SCHEDULED } from '../payouts/scheduled.ts';
import { FIND_DECISIONS } from '../reports/decisions.ts';
import { BILLION } from '../reports/payout-sums.ts';
import { FIND_ROWS } from '../reports/row-pages.ts';
import { TABLES } from '../storage/ledger-schema.ts';
import { CHAINS_BESIDE, COMMIT_MOVES } from './commit-moves.ts';
import { postgresSql, readable } from './dialect.ts';

/** What SQLite has and PostgreSQL has not. A text that is no JSON gives null, as a damaged one must be shown and not stop others. */
const FUNCTIONS = `
CREATE FUNCTION each_of(list text) RETURNS TABLE(value text) LANGUAGE sql IMMUTABLE
  AS $$ SELECT json_array_elements_text(${readable('list')}) $$;
CREATE FUNCTION json_valid(body text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT
  AS $$ BEGIN PERFORM body::json; RETURN true; EXCEPTION WHEN others THEN RETURN false; END $$;
CREATE FUNCTION json_type(body text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT
  AS $$ BEGIN RETURN json_typeof(body::json #> string_to_array(substr(path, 3), '.')); EXCEPTION WHEN others THEN RETURN null; END $$;
CREATE FUNCTION json_array_length(body text, path text) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT
  AS $$ BEGIN RETURN json_array_length(body::json #> string_to_array(substr(path, 3), '.')); EXCEPTION WHEN others THEN RETURN null; END $$;
CREATE FUNCTION instr(whole text, part text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(whole, part) $$;
`;

/** Ids are never given out twice, also when their rows are deleted. */
const LAST_IDS = `
CREATE TABLE sqlite_sequence(name text PRIMARY KEY, seq bigint NOT NULL);
CREATE FUNCTION keep_last_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO sqlite_sequence SELECT TG_TABLE_NAME, max(id) FROM added HAVING max(id) IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET seq = greatest(sqlite_sequence.seq, excluded.seq);
  RETURN null; END $$;
CREATE TRIGGER payouts_last_id AFTER INSERT ON payouts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_last_id();
CREATE TRIGGER batches_last_id AFTER INSERT ON batches REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_last_id();
`;

/** A user who locks the table `ledger` needs the right to update it. The trigger keeps that user from changing it. */
const APPEND_ONLY = `
CREATE FUNCTION as_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
CREATE TRIGGER journal_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON journal EXECUTE FUNCTION as_written();
CREATE TRIGGER commits_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON commits EXECUTE FUNCTION as_written();
CREATE TRIGGER ledger_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger EXECUTE FUNCTION as_written();
`;

/** So many writers side by side keep sums of their own: one row for all would be locked until each commit is on the disk. */
const SHARES = 64;
const ON_SHARE = `ON CONFLICT (batch, status, route, share) DO UPDATE SET count = sums.count + excluded.count,
  high = sums.high + excluded.high, low = sums.low + excluded.low`;
const sumsOf = (row: 'old' | 'new', one: 1 | -1) =>
  `SELECT ${row}.batch AS batch, ${row}.status AS status, coalesce(${row}.route, 0) AS route, ${one} AS count,
    ${one} * (coalesce(${row}.minor, 0) / ${BILLION}) AS high, ${one} * (coalesce(${row}.minor, 0) % ${BILLION}) AS low
    WHERE ${row}.position IS NOT NULL`;
/** Of the row that was changed; of all rows that one statement brings or takes: row by row, each would write the same sum anew. */
const KEEP_SUMS = `
CREATE TABLE sums(
  batch bigint NOT NULL, status text COLLATE "C" NOT NULL, route bigint NOT NULL,
  count bigint NOT NULL, high bigint NOT NULL, low bigint NOT NULL, share bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (batch, status, route, share)
);
CREATE FUNCTION keep_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE own bigint := coalesce(nullif(current_setting('payfile.shard', true), '')::bigint % ${SHARES}, 0); BEGIN
  INSERT INTO sums(batch, status, route, count, high, low, share)
    SELECT batch, status, route, sum(count), sum(high), sum(low), own
    FROM (${sumsOf('old', -1)} UNION ALL ${sumsOf('new', 1)}) both_rows GROUP BY 1, 2, 3
  ${ON_SHARE};
  RETURN null; END $$;
CREATE FUNCTION keep_sums_of_all() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one bigint := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END; BEGIN
  INSERT INTO sums SELECT batch, status, coalesce(route, 0), one * count(*),
    one * sum(coalesce(minor, 0) / ${BILLION}), one * sum(coalesce(minor, 0) % ${BILLION})
    FROM changed WHERE position IS NOT NULL GROUP BY 1, 2, 3
  ${ON_SHARE};
  RETURN null; END $$;
CREATE TRIGGER sums_moved AFTER UPDATE OF batch, status, position, route, minor ON payouts FOR EACH ROW
  WHEN ((old.status, old.batch, old.position IS NULL, old.route, old.minor)
    IS DISTINCT FROM (new.status, new.batch, new.position IS NULL, new.route, new.minor))
  EXECUTE FUNCTION keep_sums();
CREATE TRIGGER sums_added AFTER INSERT ON payouts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_sums_of_all();
CREATE TRIGGER sums_taken AFTER DELETE ON payouts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_sums_of_all();
`;

const COUNTED_ROUTES = `
CREATE SEQUENCE route_ids OWNED BY routes.id;
ALTER TABLE routes ALTER COLUMN id SET DEFAULT nextval('route_ids');
`;

/**
 * Shared by all processes with one login of the payment service (postgres/access/). `slowest` is the lowest rate of
 * these processes. It applies to all of them until `slowest_until`, in microseconds.
 */
const ACCESS = `
CREATE FUNCTION server_us() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;
CREATE FUNCTION server_ms() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
CREATE TABLE service_session(login text PRIMARY KEY, epoch bigint NOT NULL DEFAULT 0, salt bytea NOT NULL,
  sealed_token bytea, granted_at bigint, zone_minutes bigint, login_after bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0, why text NOT NULL DEFAULT '', sealed_refusal bytea, refused_at bigint,
  taken_away bigint[] NOT NULL DEFAULT '{}');
CREATE TABLE pace(login text PRIMARY KEY, next_at bigint NOT NULL DEFAULT 0, paused_until bigint NOT NULL DEFAULT 0,
  slowest float8, slowest_until bigint NOT NULL DEFAULT 0);
`;

export const SCHEMA = [
  'CREATE TABLE format(version bigint NOT NULL); INSERT INTO format VALUES (1);',
  FUNCTIONS,
  ...[TABLES, FIND_ROWS, FIND_SCHEDULED, FIND_DECISIONS].map(postgresSql),
  COUNTED_ROUTES,
  LAST_IDS,
  KEEP_SUMS,
  APPEND_ONLY,
  CHAINS_BESIDE,
  ACCESS,
  COMMIT_MOVES,
].join('\n');
