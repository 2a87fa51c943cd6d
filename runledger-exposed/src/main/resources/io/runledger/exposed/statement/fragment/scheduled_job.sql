-- The columns of new_job for a job that a schedule creates, apart from its id. The including statement has the schedule in s, its
-- definition in d, and the instant and the headers as texts in i.scheduled_for_text and i.headers.
s.job_type, s.organization_id,
CASE WHEN jsonb_typeof(s.payload_template) = 'object' THEN s.payload_template ELSE jsonb_build_object('payload', s.payload_template) END
    || jsonb_build_object('_schedule', jsonb_build_object(
        'schedule_id', s.id, 'schedule_name', s.name, 'scheduled_for', i.scheduled_for_text
    )) AS payload,
d.default_priority AS priority, d.max_attempts, d.default_timeout_seconds AS timeout_seconds, 'scheduled' AS stage,
i.headers::jsonb AS headers,
CASE WHEN d.flow IS NOT NULL OR s.flow IS NOT NULL THEN
    {schema}.resolve_flow(s.job_type, d.flow, s.flow, s.organization_id, false)
END AS flow
