/**
 * The function `commit_moves` of the server: one group of plain moves, checked, written and chained in one statement
 * (fast-moves.ts). It works beside others of its kind, and never beside a writer that works alone.
 *
 * Why:     a round trip for each step would cost more than the step.
 * Units:   as in the tables; `lines` are the journal's, as proof/event-chain.ts joins them.
 */

/** Entries of one commit are numbered within a block, so that commits side by side never mix. */
const BLOCK = 1_000;
/** SQLSTATE: the tables no longer have the format that this process works with. */
export const OTHER_FORMAT = 'PF001';

/** What the functions below keep. */
export const CHAINS_BESIDE = `
ALTER TABLE commits ADD COLUMN shard bigint NOT NULL DEFAULT 0;
CREATE INDEX commits_shard ON commits(batch, shard, seq);
CREATE SEQUENCE shards;
CREATE SEQUENCE journal_blocks;
CREATE SEQUENCE commit_numbers;

CREATE FUNCTION number_after() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.shard = 0 THEN
    PERFORM setval('journal_blocks', NEW.last / ${BLOCK} + 1), setval('commit_numbers', NEW.seq);
  END IF;
  RETURN null; END $$;
CREATE TRIGGER numbers_after AFTER INSERT ON commits FOR EACH ROW EXECUTE FUNCTION number_after();
`;

const IS_PLAIN = `
CREATE FUNCTION is_plain(m move) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE other text; BEGIN
  FOREACH other IN ARRAY m.names LOOP
    IF EXISTS (SELECT 1 FROM payouts WHERE transfer_id = other AND id <> m.id)
      OR EXISTS (SELECT 1 FROM payouts WHERE other_id = other AND id <> m.id) THEN RETURN false; END IF;
  END LOOP;
  RETURN true;
END $$;
`;

export const COMMIT_MOVES = `
CREATE TYPE move AS (kind text, id bigint, version bigint, batch bigint, at bigint, body text, status text, attempts bigint,
  state text, tag text, transfer text, memory bigint, lives bigint, incident bigint, quoted bigint, other text,
  has_due boolean, due bigint, look text, due_check bigint, names text[]);
${IS_PLAIN}
CREATE FUNCTION move_plainly(m move) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  IF m.kind = 'schedule' THEN
    UPDATE payouts SET due_at = m.due, look = m.look, due_check = m.due_check WHERE id = m.id;
    RETURN false;
  END IF;
  IF NOT is_plain(m) THEN RETURN false; END IF;
  UPDATE payouts SET status = m.status, version = version + 1, attempts = m.attempts, state = m.state,
    tag = coalesce(m.tag, tag), transfer_id = m.transfer, memory_at = m.memory,
    living_root = CASE WHEN m.lives = 1 THEN root END, incident_root = CASE WHEN m.incident = 1 THEN root END,
    quoted_at = m.quoted, other_id = m.other,
    due_at = CASE WHEN m.has_due THEN m.due ELSE due_at END, look = CASE WHEN m.has_due THEN m.look ELSE look END,
    due_check = CASE WHEN m.has_due THEN m.due_check ELSE due_check END
  WHERE id = m.id AND version = m.version AND batch = m.batch;
  RETURN FOUND;
END $$;

CREATE FUNCTION commit_moves(own bigint, moves json, known bigint, OUT done text, OUT seq bigint, OUT head text)
LANGUAGE plpgsql AS $$
DECLARE m move; n bigint := -1; written bigint[] := '{}'; moved move[] := '{}'; of bigint; lines text; previous text;
  block bigint; first bigint; last bigint; BEGIN
  LOCK TABLE ledger IN ROW EXCLUSIVE MODE;
  IF known <> (SELECT version FROM format) THEN RAISE EXCEPTION 'another format' USING ERRCODE = '${OTHER_FORMAT}'; END IF;
  FOR m IN SELECT * FROM json_populate_recordset(null::move, moves) LOOP
    n := n + 1;
    IF move_plainly(m) THEN written := written || n; moved := moved || m; END IF;
  END LOOP;
  FOR of IN SELECT DISTINCT e.batch FROM unnest(moved) e ORDER BY 1 LOOP
    block := nextval('journal_blocks') * ${BLOCK};
    seq := nextval('commit_numbers');
    WITH added AS (
      INSERT INTO journal(seq, batch, payout, at, kind, body)
        SELECT block + row_number() OVER (ORDER BY e.ordinality), of, e.id, e.at, e.kind, e.body
        FROM unnest(moved) WITH ORDINALITY e WHERE e.batch = of
      RETURNING *)
    SELECT string_agg(j.seq || E'\\t' || coalesce(j.payout::text, '') || E'\\t' || j.at || E'\\t' || j.kind || E'\\t' || j.body
        || E'\\n', '' ORDER BY j.seq), min(j.seq), max(j.seq)
      INTO lines, first, last FROM added j;
    SELECT c.head INTO previous FROM (
      (SELECT * FROM commits WHERE batch = of AND shard = 0 ORDER BY seq DESC LIMIT 1)
      UNION ALL (SELECT * FROM commits WHERE batch = of AND shard = own ORDER BY seq DESC LIMIT 1)
    ) c ORDER BY c.seq DESC LIMIT 1;
    head := encode(sha256(convert_to(coalesce(previous, repeat('0', 64)) || E'\\n' || seq || E'\\t' || of || E'\\t' || first
      || E'\\t' || last || E'\\t' || (last - first + 1) || E'\\t-\\n' || lines, 'UTF8')), 'hex');
    INSERT INTO commits(seq, batch, first, last, events, rows_hash, head, shard)
      VALUES (seq, of, first, last, last - first + 1, null, head, own);
  END LOOP;
  done := array_to_json(written)::text;
END $$;
`;
