-- Finds contradictions in the rows of jobs: one row per contradiction, at most :limit per rule.
-- ended summarizes the attempts of each run of a job; last is the last event of each job.
WITH ended AS MATERIALIZED (
    SELECT
        job_id, run_number, count(*)::int AS attempts, max(attempt) AS last,
        max(attempt) FILTER (WHERE outcome = 'SUCCEEDED') AS success, (count(*) FILTER (WHERE outcome = 'SUCCEEDED'))::int AS successes,
        (count(*) FILTER (WHERE outcome = 'INTERRUPTED'))::int AS interruptions
    FROM {schema}.job_attempts
    GROUP BY job_id, run_number
), job AS MATERIALIZED (
    SELECT
        q.id, q.status, q.run_number, q.attempt, q.interruptions, coalesce(e.last, 0) AS last,
        coalesce(e.successes, 0) AS successes, coalesce(e.interruptions, 0) AS interrupted,
        q.lease_id, q.worker_id, q.leased_at, q.lease_expires_at, q.finished_at, q.is_step, q.is_paused
    FROM {schema}.job_queue q LEFT JOIN ended e ON e.job_id = q.id AND e.run_number = q.run_number
), requeue AS MATERIALIZED (
    SELECT job_id, count(*) AS times FROM {schema}.job_journal WHERE event_type = 'REQUEUED' GROUP BY job_id
), last AS MATERIALIZED (
    SELECT DISTINCT ON (job_id) job_id, event_type FROM {schema}.job_events
    WHERE event_type <> 'EDITED'
    ORDER BY job_id, id DESC
), contradiction (rule, subject, detail) AS (
    SELECT 'attempt.orphan', e.job_id, format('%s attempts of run %s have no job.', e.attempts, e.run_number)
    FROM ended e LEFT JOIN job ON job.id = e.job_id
    WHERE job.id IS NULL
    UNION ALL
    SELECT 'job.type_undefined', q.id, format('The job has the type %s, which is not defined.', q.job_type)
    FROM {schema}.job_queue q LEFT JOIN {schema}.job_definitions d ON d.job_type = q.job_type
    WHERE d.job_type IS NULL
    UNION ALL
    SELECT 'job_key.orphan', k.job_id, format('A key of type %s refers to this job, which does not exist.', k.job_type)
    FROM {schema}.job_keys k LEFT JOIN {schema}.job_queue q ON q.id = k.job_id
    WHERE q.id IS NULL
    UNION ALL
    SELECT 'job_key.mismatch', k.job_id, format('A key of type %s refers to this job, which has another type or organization.', k.job_type)
    FROM {schema}.job_keys k JOIN {schema}.job_queue q ON q.id = k.job_id
    WHERE q.job_type <> k.job_type OR q.organization_id IS DISTINCT FROM k.organization_id
    UNION ALL
    SELECT 'attempt.gap', job_id, format('Run %s has %s attempts, but the last one is number %s.', run_number, attempts, last)
    FROM ended WHERE attempts <> last
    UNION ALL
    SELECT 'attempt.beyond_run', e.job_id, format('There is an attempt of run %s, but the job is in run %s.', e.run_number, job.run_number)
    FROM ended e JOIN job ON job.id = e.job_id
    WHERE e.run_number > job.run_number
    UNION ALL
    SELECT
        'attempt.after_success', job_id,
        format('Attempt %s of run %s succeeded; %s attempts succeeded in all, and the last attempt is number %s.',
            success, run_number, successes, last)
    FROM ended WHERE successes > 1 OR success < last
    UNION ALL
    SELECT
        'job.attempts', id,
        format('The job is %s at attempt %s of run %s, but the last ended attempt is number %s.', status, attempt, run_number, last)
    FROM job WHERE last <> attempt - (CASE WHEN status = 'LEASED' THEN 1 ELSE 0 END)
    UNION ALL
    SELECT
        'job.interruptions', id,
        format('The job counts %s interrupted attempts of run %s, but there are %s.', interruptions, run_number, interrupted)
    FROM job WHERE interruptions <> interrupted
    UNION ALL
    SELECT 'job.success', id, format('The job is %s, but %s attempts of run %s succeeded.', status, successes, run_number)
    FROM job WHERE (status = 'SUCCEEDED') <> (successes > 0)
    UNION ALL
    SELECT 'job.runs', job.id, format('The job is in run %s, but it was requeued %s times.', job.run_number, coalesce(r.times, 0))
    FROM job LEFT JOIN requeue r ON r.job_id = job.id
    WHERE job.run_number - 1 <> coalesce(r.times, 0)
    UNION ALL
    SELECT 'job.lease', id, format('The job is %s, but has lease %s of worker %s until %s.', status, lease_id, worker_id, lease_expires_at)
    FROM job
    WHERE CASE WHEN status = 'LEASED'
        THEN lease_id IS NULL OR worker_id IS NULL OR leased_at IS NULL OR lease_expires_at IS NULL
        ELSE lease_id IS NOT NULL OR worker_id IS NOT NULL
    END
    UNION ALL
    SELECT 'job.end', id, format('The job is %s, but its end time is %s.', status, coalesce(finished_at::text, 'not set'))
    FROM job WHERE (finished_at IS NOT NULL) <> (status IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED'))
    UNION ALL
    SELECT 'job.events', job.id, format('The job is %s, but its last event is %s.', job.status, last.event_type)
    FROM job JOIN last ON last.job_id = job.id
    WHERE CASE WHEN job.status IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED')
        THEN last.event_type::text <> job.status::text
        ELSE last.event_type IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED')
    END
    UNION ALL
    SELECT
        'job.dead_letter', job.id,
        format('The job was dead-lettered at attempt %s of run %s, but its dead letter names attempt %s.',
            job.attempt, job.run_number, d.attempt)
    FROM job LEFT JOIN {schema}.job_dead_letters d ON d.job_id = job.id AND d.run_number = job.run_number
    WHERE job.status = 'DEAD_LETTERED' AND d.attempt IS DISTINCT FROM job.attempt
    UNION ALL
    SELECT
        'dead_letter.unfounded', job.id,
        format('There is a dead letter of run %s, but the job is %s in run %s.', d.run_number, job.status, job.run_number)
    FROM {schema}.job_dead_letters d JOIN job ON job.id = d.job_id
    WHERE d.run_number > job.run_number
        -- When a step is retried, its dead-lettered job is canceled.
        OR d.run_number = job.run_number AND job.status <> 'DEAD_LETTERED' AND NOT (job.status = 'CANCELED' AND job.is_step)
    UNION ALL
    SELECT 'job.step', job.id, format('The job is %s and belongs to a workflow step, but no step refers to it.', job.status)
    FROM job LEFT JOIN {schema}.workflow_step_rows s ON s.job_id = job.id
    WHERE job.is_step AND job.status IN ('PENDING', 'LEASED') AND s.id IS NULL
    UNION ALL
    SELECT 'job.pause', job.id, format('The job is %s and paused, but it belongs to no workflow run that can be resumed.', job.status)
    FROM job WHERE job.is_paused AND NOT job.is_step
)
SELECT rule, subject, detail
FROM (SELECT *, row_number() OVER (PARTITION BY rule ORDER BY subject) AS nth FROM contradiction) ranked
WHERE nth <= :limit
ORDER BY rule, subject
