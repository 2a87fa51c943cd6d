-- Finds attempts that limits, rates and orders should have kept from beginning: one row per attempt and reason, at most :limit per rule.
-- Looks at the newest 100,000 attempts of the jobs with limits or an order. Without such jobs it reads job_queue once, and no attempts.
--
-- An attempt holds its permits from leased_at to finished_at, also if its handler never began or its lease expired: a claim counts jobs that
-- are LEASED, and so does this statement. A claim reads what is committed, and times are taken before the commit. Hence two doubts are
-- decided for the claim, each for ten seconds: the values that a limit had before a change may still be in force, and the enqueue of a job
-- with a smaller position may be committed after the claim.
--
-- attempt has what is needed of its job, because the planner might join the two a second time row by row if it expected few of them.
-- change has the values of a limit and when they were replaced. held has one row per attempt and limit key; running counts, at each
-- beginning and end, the jobs that hold the key.
-- fact has what is known of each run of a job in an order. run says from when to when a run is known to have kept later jobs from beginning:
-- from its first attempt, which proves that it was committed, to its end, or to its cancellation if it was continued later.
-- open_run counts these runs at the beginning of each attempt: with one, it is the attempt's own.
WITH flow_job AS MATERIALIZED (
    SELECT
        id, status, run_number, attempt, created_at, leased_at, limit_keys, order_key, order_position,
        CASE WHEN finished_at IS NULL OR status = 'DEAD_LETTERED' AND holds_order THEN 'infinity' ELSE finished_at END AS ended_at
    FROM {schema}.job_queue
    WHERE flow_group IS NOT NULL AND (limit_keys IS NOT NULL OR order_position IS NOT NULL)
), attempt AS MATERIALIZED (
    SELECT *
    FROM (
        SELECT
            a.job_id, a.run_number, a.attempt, a.leased_at, a.finished_at, q.limit_keys, q.order_key, q.order_position, q.created_at,
            q.run_number AS job_run, q.ended_at AS job_end
        FROM flow_job q JOIN {schema}.job_attempts a ON a.job_id = q.id
        WHERE EXISTS (SELECT FROM flow_job)
        UNION ALL
        SELECT
            id, run_number, attempt, leased_at, 'infinity', limit_keys, order_key, order_position, created_at, run_number, ended_at
        FROM flow_job
        WHERE status = 'LEASED' AND leased_at IS NOT NULL
    ) newest
    ORDER BY leased_at DESC
    LIMIT 100000
), change AS MATERIALIZED (
    SELECT
        name, changed_at, lead(changed_at) OVER (PARTITION BY name ORDER BY changed_at) AS replaced_at, permits, rate_count, rate_burst,
        -- At most a hundred years, so that the beginning of the period is an instant that PostgreSQL knows.
        least(rate_period_us, 3155760000000000) * interval '1 microsecond' AS rate_period
    FROM {schema}.limit_changes
), held AS MATERIALIZED (
    SELECT a.job_id, a.run_number, a.attempt, a.leased_at, a.finished_at, l.limit_key, c.name, c.fewest_permits
    FROM attempt a
    CROSS JOIN LATERAL unnest(a.limit_keys) AS l (limit_key)
    JOIN (SELECT name, min(coalesce(permits, 2147483647)) AS fewest_permits FROM change GROUP BY name) c
        ON c.name = CASE WHEN l.limit_key LIKE 'queue:%' THEN l.limit_key ELSE split_part(l.limit_key, ':', 1) END
), running AS (
    SELECT *, sum(CASE WHEN is_beginning THEN 1 ELSE -1 END) OVER (PARTITION BY limit_key ORDER BY at, is_beginning) AS jobs
    FROM (
        SELECT h.*, h.leased_at AS at, true AS is_beginning FROM held h
        UNION ALL
        SELECT h.*, h.finished_at, false FROM held h WHERE h.finished_at < 'infinity'
    ) moment
), begun AS (
    SELECT
        h.*, c.changed_at, c.rate_period, c.rate_count::bigint + c.rate_burst AS most,
        lag(h.leased_at, least(c.rate_count::bigint + c.rate_burst, 2147483647)::int) OVER (PARTITION BY h.limit_key ORDER BY h.leased_at)
            AS earliest
    FROM held h
    JOIN change c ON c.name = h.name AND c.changed_at <= h.leased_at AND (c.replaced_at IS NULL OR c.replaced_at > h.leased_at)
), waiting AS (
    SELECT
        w.*,
        max(began_at) OVER (PARTITION BY order_key ORDER BY order_position GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            AS earlier_began_at
    FROM (
        SELECT
            job_id, run_number, attempt, order_key, order_position, created_at, leased_at,
            CASE WHEN run_number = 1 AND attempt = 1 THEN leased_at END AS began_at
        FROM attempt WHERE order_position IS NOT NULL
        UNION ALL
        SELECT id, run_number, attempt, order_key, order_position, created_at, NULL, ended_at
        FROM flow_job WHERE order_position IS NOT NULL AND run_number = 1 AND attempt = 0
    ) w
), fact AS (
    SELECT
        job_id, run_number, order_key, order_position, job_run, job_end, leased_at, finished_at, NULL::timestamptz AS canceled_at,
        false AS is_continued
    FROM attempt WHERE order_position IS NOT NULL
    UNION ALL
    SELECT
        j.job_id, j.run_number, q.order_key, q.order_position, q.run_number, q.ended_at, NULL, NULL,
        CASE WHEN j.event_type = 'CANCELED' THEN j.occurred_at END,
        j.event_type = 'REQUEUED' AND j.payload ->> 'requeue_kind' IS NOT DISTINCT FROM 'HANDLER_CONTINUATION'
    FROM flow_job q JOIN {schema}.job_journal j ON j.job_id = q.id
    WHERE EXISTS (SELECT FROM flow_job WHERE order_position IS NOT NULL) AND q.order_position IS NOT NULL
        AND j.event_type IN ('CANCELED', 'REQUEUED')
), run AS MATERIALIZED (
    SELECT
        job_id, run_number, order_key, order_position, begun_at,
        least(canceled_at, CASE
            WHEN run_number = job_run THEN job_end
            WHEN is_continued AND next_run = run_number + 1 AND next_begun_at IS NOT NULL THEN next_begun_at
            WHEN is_continued AND job_run = run_number + 1 THEN job_end
            ELSE last_end
        END) AS ended_at
    FROM (
        SELECT
            job_id, run_number, min(order_key) AS order_key, min(order_position) AS order_position, min(job_run) AS job_run,
            min(job_end) AS job_end, min(leased_at) AS begun_at, max(finished_at) AS last_end, min(canceled_at) AS canceled_at,
            bool_or(is_continued) AS is_continued, lead(run_number) OVER by_run AS next_run, lead(min(leased_at)) OVER by_run AS next_begun_at
        FROM fact
        GROUP BY job_id, run_number
        WINDOW by_run AS (PARTITION BY job_id ORDER BY run_number)
    ) known
    WHERE begun_at IS NOT NULL
), open_run AS (
    SELECT m.*, sum(change) OVER (PARTITION BY order_key ORDER BY at, kind) AS runs
    FROM (
        SELECT
            NULL::uuid AS job_id, NULL::int AS run_number, NULL::int AS attempt, order_key, order_position, ended_at AS at, 0 AS kind,
            -1 AS change
        FROM run WHERE ended_at < 'infinity'
        UNION ALL
        SELECT NULL, NULL, NULL, order_key, order_position, begun_at, 1, 1 FROM run
        UNION ALL
        SELECT job_id, run_number, attempt, order_key, order_position, leased_at, 2, 0 FROM attempt WHERE order_position IS NOT NULL
    ) m
), overtaking AS MATERIALIZED (
    SELECT * FROM open_run WHERE kind = 2 AND runs > 1 ORDER BY at DESC LIMIT 1000
), contradiction (rule, subject, detail) AS (
    SELECT
        'limit.exceeded', r.job_id,
        format('Attempt %s of run %s began at %s as one of %s leased jobs with the limit %s, which allowed %s.',
            r.attempt, r.run_number, r.leased_at, r.jobs, r.limit_key,
            (SELECT c.permits FROM change c WHERE c.name = r.name AND c.changed_at <= r.leased_at ORDER BY c.changed_at DESC LIMIT 1))
    FROM running r
    WHERE r.is_beginning AND r.jobs > r.fewest_permits
        AND EXISTS (SELECT FROM change c WHERE c.name = r.name AND c.changed_at <= r.leased_at)
        AND NOT EXISTS (
            SELECT FROM change c
            WHERE c.name = r.name AND c.changed_at <= r.leased_at
                AND (c.replaced_at IS NULL OR c.replaced_at > r.leased_at - interval '10 seconds')
                AND coalesce(c.permits, 2147483647) >= r.jobs
        )
    UNION ALL
    SELECT
        'rate.exceeded', job_id,
        format('Attempt %s of run %s began at %s, but %s jobs with the limit %s had begun since %s, in less than %s.',
            attempt, run_number, leased_at, most, limit_key, earliest, rate_period)
    FROM begun
    WHERE earliest > leased_at - rate_period AND changed_at <= earliest - interval '10 seconds'
    UNION ALL
    SELECT
        'order.violated', job_id,
        format('Attempt %s of run %s began at %s, but another job of the order %s was leased until %s.',
            attempt, run_number, leased_at, order_key, nullif(others_end, 'infinity'))
    FROM (
        SELECT
            a.*, max(finished_at) OVER (
                PARTITION BY order_key ORDER BY leased_at, order_position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS others_end
        FROM attempt a WHERE order_position IS NOT NULL
    ) a
    WHERE others_end > leased_at
    UNION ALL
    SELECT
        'order.violated', job_id,
        format('Attempt %s of run %s began at %s, before the first attempt of a job that has a smaller position in the order %s.',
            attempt, run_number, leased_at, order_key)
    FROM waiting
    WHERE earlier_began_at > leased_at AND created_at <= leased_at - interval '10 seconds'
    UNION ALL
    SELECT
        'order.violated', o.job_id,
        format('Attempt %s of run %s began at %s, but job %s, which has a smaller position in the order %s, had begun and not ended.',
            o.attempt, o.run_number, o.at, earlier.job_id, o.order_key)
    FROM overtaking o
    CROSS JOIN LATERAL (
        SELECT r.job_id FROM run r
        WHERE r.order_key = o.order_key AND r.order_position < o.order_position AND r.begun_at < o.at AND r.ended_at > o.at
        LIMIT 1
    ) earlier
)
SELECT rule, subject, detail
FROM (SELECT *, row_number() OVER (PARTITION BY rule ORDER BY subject) AS nth FROM contradiction) ranked
WHERE nth <= :limit
ORDER BY rule, subject
