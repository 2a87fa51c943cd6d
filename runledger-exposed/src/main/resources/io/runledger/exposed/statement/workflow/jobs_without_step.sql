SELECT j.id FROM unnest(:job_ids::uuid[]) AS j (id)
WHERE NOT EXISTS (SELECT FROM {schema}.workflow_step_rows s WHERE s.job_id = j.id)
