-- The active schedules that create jobs of these types, or start workflows with steps of these types.
SELECT t.job_type, s.name
FROM {schema}.job_schedules s
CROSS JOIN unnest(:job_types::text[]) AS t (job_type)
WHERE s.is_active AND (
    s.job_type = t.job_type
    OR s.workflow_request -> 'request' -> 'steps' @> jsonb_build_array(jsonb_build_object('job_type', t.job_type))
)
ORDER BY t.job_type, s.name
