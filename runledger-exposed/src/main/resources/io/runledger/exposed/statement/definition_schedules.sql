-- The active schedules that make jobs of these types, or start workflows with steps of them.
SELECT t.job_type, s.name
FROM {schema}.job_schedules s
CROSS JOIN unnest(?::text[]) AS t (job_type)
WHERE s.is_active AND (
    s.job_type = t.job_type
    OR s.workflow_request -> 'request' -> 'steps' @> jsonb_build_array(jsonb_build_object('job_type', t.job_type))
)
ORDER BY t.job_type, s.name
