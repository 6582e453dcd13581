/**
 * The function `commit_moves` of the server: one group of plain moves, checked, written and chained in one statement
 * (fast-moves.ts). It works beside others of its kind, and never beside a writer that works alone.
 *
 * Why:     a round trip for each step would cost more than the step.
 * Units:   as in the tables; `lines` are the journal's, as proof/event-chain.ts joins them.
 */

/** Entries of one commit are numbered within a block, so that commits side by side never mix. */
const BLOCK = 1_000;

const isPlain = (
  isLeased: string,
) => `CREATE OR REPLACE FUNCTION is_plain(m json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE me payouts; reference bytea; payment bytea; BEGIN
  IF EXISTS (SELECT 1 FROM json_array_elements_text(m -> 'names') name WHERE EXISTS (
    SELECT 1 FROM payouts p WHERE p.id <> (m ->> 'id')::bigint AND (p.transfer_id = name OR p.other_id = name)))
  THEN RETURN false; END IF;
  IF m ->> 'kind' <> 'begin_attempt' THEN RETURN true; END IF;
  IF m ->> 'token' IS NOT NULL AND NOT ${isLeased}
  THEN RETURN false; END IF;
  SELECT * INTO me FROM payouts WHERE id = (m ->> 'id')::bigint;
  IF me.replaces IS NOT NULL OR EXISTS (SELECT 1 FROM payouts WHERE incident_root = me.root)
    OR EXISTS (SELECT 1 FROM payouts WHERE living_root = me.root AND id <> me.id)
  THEN RETURN false; END IF;
  IF m ->> 'since' IS NULL THEN RETURN true; END IF;
  RETURN NOT EXISTS (SELECT 1 FROM older_readings)
    AND NOT EXISTS (SELECT 1 FROM payouts WHERE reference_key = me.reference_key AND memory_at IS NOT NULL
      AND memory_at >= (m ->> 'since')::bigint AND root <> me.root)
    AND NOT EXISTS (SELECT 1 FROM payouts WHERE payment_key = me.payment_key AND memory_at IS NOT NULL
      AND memory_at >= (m ->> 'since')::bigint AND root <> me.root);
END $$;`;

const OF_WHOLE =
  "EXISTS (SELECT 1 FROM leases WHERE batch = (m ->> 'batch')::bigint AND token = m ->> 'token')";
const OF_PART = `EXISTS (SELECT 1 FROM part_leases WHERE batch = (m ->> 'batch')::bigint AND token = m ->> 'token'
    AND (m ->> 'id')::bigint % parts = part)`;

/** Since parts of a batch are leased. */
export const PARTS_PLAIN = isPlain(`(${OF_WHOLE} OR ${OF_PART})`);

export const COMMIT_MOVES = `
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

${isPlain(OF_WHOLE)}

CREATE FUNCTION move_plainly(m json) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  IF m ->> 'kind' = 'schedule' THEN
    UPDATE payouts SET due_at = (m ->> 'due')::bigint, polls = (m ->> 'polls')::bigint,
      due_check = (m ->> 'check')::bigint WHERE id = (m ->> 'id')::bigint;
    RETURN false;
  END IF;
  IF NOT is_plain(m) THEN RETURN false; END IF;
  UPDATE payouts SET status = m ->> 'status', version = version + 1, attempts = (m ->> 'attempts')::bigint,
    state = m ->> 'state', tag = coalesce(m ->> 'tag', tag), transfer_id = m ->> 'transfer',
    memory_at = (m ->> 'memory')::bigint,
    living_root = CASE WHEN m ->> 'lives' = '1' THEN root END,
    incident_root = CASE WHEN m ->> 'incident' = '1' THEN root END,
    rate = m ->> 'rate', quoted_at = (m ->> 'quoted')::bigint, other_id = m ->> 'other',
    due_at = CASE WHEN (m ->> 'hasDue')::boolean THEN (m ->> 'due')::bigint ELSE due_at END,
    polls = CASE WHEN (m ->> 'hasDue')::boolean THEN 0 ELSE polls END,
    due_check = CASE WHEN (m ->> 'hasDue')::boolean THEN (m ->> 'check')::bigint ELSE due_check END
  WHERE id = (m ->> 'id')::bigint AND version = (m ->> 'version')::bigint AND batch = (m ->> 'batch')::bigint;
  RETURN FOUND;
END $$;

CREATE FUNCTION commit_moves(own bigint, moves json, OUT done text, OUT seq bigint, OUT head text)
LANGUAGE plpgsql AS $$
DECLARE m json; n bigint := -1; written bigint[] := '{}'; of bigint; lines text; previous text; block bigint;
  first bigint; last bigint; BEGIN
  LOCK TABLE ledger IN ROW EXCLUSIVE MODE;
  FOR m IN SELECT * FROM json_array_elements(moves) LOOP
    n := n + 1;
    IF move_plainly(m) THEN written := written || n; END IF;
  END LOOP;
  FOR of IN SELECT DISTINCT (moves -> w::int ->> 'batch')::bigint AS b FROM unnest(written) w ORDER BY b LOOP
    block := nextval('journal_blocks') * ${BLOCK};
    seq := nextval('commit_numbers');
    INSERT INTO journal(seq, batch, payout, at, kind, body)
      SELECT block + row_number() OVER (ORDER BY w), of, (moves -> w::int ->> 'id')::bigint, (moves -> w::int ->> 'at')::bigint,
        moves -> w::int ->> 'kind', moves -> w::int ->> 'body'
      FROM unnest(written) w WHERE (moves -> w::int ->> 'batch')::bigint = of;
    SELECT string_agg(j.seq || E'\\t' || coalesce(j.payout::text, '') || E'\\t' || j.at || E'\\t' || j.kind || E'\\t' || j.body
        || E'\\n', '' ORDER BY j.seq), min(j.seq), max(j.seq)
      INTO lines, first, last FROM journal j WHERE j.seq > block AND j.seq <= block + ${BLOCK} AND j.batch = of;
    SELECT c.head INTO previous FROM commits c WHERE c.batch = of AND c.shard IN (0, own) ORDER BY c.seq DESC LIMIT 1;
    head := encode(sha256(convert_to(coalesce(previous, repeat('0', 64)) || E'\\n' || seq || E'\\t' || of || E'\\t' || first
      || E'\\t' || last || E'\\t' || (last - first + 1) || E'\\t-\\n' || lines, 'UTF8')), 'hex');
    INSERT INTO commits(seq, batch, first, last, events, rows_hash, head, shard)
      VALUES (seq, of, first, last, last - first + 1, null, head, own);
  END LOOP;
  done := array_to_json(written)::text;
END $$;
`;
