-- Records an action that begins. Returns a row unless an action with the same key exists. If another transaction is recording an action
-- with that key, the statement waits for its end: the caller has not changed anything yet, so two calls with one key cannot deadlock.
-- In a scope of all organizations, the organization is that of the row.
INSERT INTO {schema}.operator_actions (
    id, organization_id, started_at, total, actor, action, target_kind, target, step_key, reason, request_key
)
VALUES (
    :id,
    coalesce(
        :organization_id::uuid,
        (SELECT q.organization_id FROM {schema}.job_queue q WHERE :target_kind = 'JOB' AND q.id = :target_id),
        (SELECT r.organization_id FROM {schema}.workflow_runs r WHERE :target_kind = 'RUN' AND r.id = :target_id),
        (SELECT s.organization_id FROM {schema}.job_schedules s WHERE :target_kind = 'SCHEDULE' AND s.name = :target)
    ),
    clock_timestamp(), :total, :actor, :action, :target_kind, :target, :step_key, :reason, :request_key
)
ON CONFLICT (request_key) WHERE request_key IS NOT NULL DO NOTHING
RETURNING id
