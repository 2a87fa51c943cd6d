-- The number of rows that a verification checks.
SELECT
    (SELECT count(*) FROM {schema}.job_queue) AS jobs, (SELECT count(*) FROM {schema}.job_attempts) AS attempts,
    (SELECT count(*) FROM {schema}.workflow_runs) AS runs, (SELECT count(*) FROM {schema}.workflow_step_rows) AS steps
