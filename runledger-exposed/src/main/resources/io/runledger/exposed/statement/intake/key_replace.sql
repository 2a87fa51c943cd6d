-- Changes waiting jobs to what a later enqueue with their key wants. Returns the jobs that still wait; a debounced job must not have been
-- claimed before. Rows are locked in id order, after the rows of their keys. What changes is added to the journal. One notification is
-- sent per type of the jobs that are due.
-- A job that is due already keeps its time if it is wanted now, because its place among the due jobs follows from its time. A debounced job
-- is due pause_us from now, but not later than most_us after it was enqueued.
WITH input AS (
    SELECT * FROM unnest(
        :job_ids::uuid[], :payloads::text[], :headers::text[], :time_flags::bool[], :run_times::timestamptz[], :delays_us::bigint[],
        :pauses_us::bigint[], :most_us::bigint[], :priority_flags::bool[], :priorities::int[], :debounce_flags::bool[]
    ) AS i (
        job_id, payload, headers, sets_time, run_at, delay_us, pause_us, most_us, sets_priority, priority, is_debounced
    )
), held AS MATERIALIZED (
    SELECT q.id, q.job_type, q.run_number, q.attempt, q.payload, q.headers, q.next_run_at, q.priority, q.created_at
    FROM (SELECT * FROM unnest(:job_ids::uuid[]) AS i (id) ORDER BY id) i
    CROSS JOIN LATERAL (SELECT * FROM {schema}.job_queue q WHERE q.id = i.id AND q.status = 'PENDING' FOR NO KEY UPDATE) q
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM held) locked
), wanted AS MATERIALIZED (
    SELECT
        h.id, h.run_number, h.attempt, h.payload, h.headers, h.next_run_at, h.priority, stamp.at,
        CASE WHEN i.payload IS NULL THEN h.payload ELSE i.payload::jsonb END AS new_payload,
        CASE WHEN i.payload IS NULL THEN h.headers ELSE i.headers::jsonb END AS new_headers,
        CASE WHEN i.sets_time THEN
            coalesce(
                least(
                    stamp.at + i.pause_us * interval '1 microsecond',
                    CASE WHEN i.pause_us IS NOT NULL THEN h.created_at + i.most_us * interval '1 microsecond' END
                ),
                i.run_at, stamp.at + i.delay_us * interval '1 microsecond', stamp.at
            )
        END AS time,
        CASE WHEN i.sets_priority THEN coalesce(i.priority, d.default_priority) ELSE h.priority END AS new_priority
    FROM held h JOIN input i ON i.job_id = h.id CROSS JOIN stamp LEFT JOIN {schema}.job_definitions d ON d.job_type = h.job_type
    WHERE i.is_debounced IS NOT TRUE OR h.run_number = 1 AND h.attempt = 0
), changed AS MATERIALIZED (
    SELECT w.*, w.payload <> w.new_payload AS is_payload, w.headers IS DISTINCT FROM w.new_headers AS is_headers,
        w.next_run_at <> w.due_at AS is_time, w.priority <> w.new_priority AS is_priority
    FROM (
        SELECT wanted.*,
            CASE WHEN time > at THEN time WHEN time IS NULL OR next_run_at <= at THEN next_run_at ELSE at END AS due_at
        FROM wanted
    ) w
    WHERE w.payload <> w.new_payload OR w.headers IS DISTINCT FROM w.new_headers OR w.next_run_at <> w.due_at
        OR w.priority <> w.new_priority
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', 'A later enqueue has the same key.', 'changed', to_jsonb(array_remove(ARRAY[
                CASE WHEN is_payload THEN 'payload' END, CASE WHEN is_headers THEN 'headers' END,
                CASE WHEN is_time THEN 'next_run_at' END, CASE WHEN is_priority THEN 'priority' END
            ], NULL))
        )
            || CASE WHEN is_payload THEN jsonb_build_object('previous_payload', payload) ELSE '{}' END
            || CASE WHEN is_headers THEN jsonb_build_object('previous_headers', headers) ELSE '{}' END
            || CASE WHEN is_time THEN jsonb_build_object('previous_next_run_at', next_run_at, 'next_run_at', due_at) ELSE '{}' END
            || CASE WHEN is_priority THEN jsonb_build_object('previous_priority', priority, 'priority', new_priority) ELSE '{}' END
            || {fragment/by_operator}
    FROM changed
), replaced AS (
    UPDATE {schema}.job_queue q
    SET payload = c.new_payload, headers = c.new_headers, next_run_at = c.due_at, priority = c.new_priority, updated_at = c.at
    FROM changed c
    WHERE q.id = ANY (ARRAY(SELECT id FROM changed)) AND q.id = c.id
    RETURNING q.id, q.job_type, q.is_delayed
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM replaced WHERE NOT is_delayed) t
    WHERE {signals}
)
SELECT w.id FROM wanted w CROSS JOIN (SELECT count(*) FROM signal) notified
