-- A page of the actions that name a job or changed it together with others, newest first. A job has few of them, so they are collected
-- first: the journal's lines of the job name the actions on many jobs.
SELECT a.* FROM {schema}.operator_actions a
WHERE a.id = ANY (ARRAY(
        SELECT t.id FROM {schema}.operator_actions t WHERE t.target_kind = 'JOB' AND t.target = :job_id::uuid::text
        UNION
        SELECT (j.payload ->> 'action')::uuid FROM {schema}.job_journal j
        WHERE j.job_id = :job_id::uuid AND j.payload ->> 'action' IS NOT NULL
    ))
    AND {scope a} {filters}
ORDER BY a.id DESC
LIMIT :limit
