-- Two CTEs that record the rows of the relation given_up as dead letters, and a delivery for every hook that is registered for the type.
-- given_up must have: id, organization_id, at, run_number, attempt, kind, job_type, reason, error_code, error_message, payload, checkpoint.
dead_letter AS (
    INSERT INTO {schema}.job_dead_letters (
        job_id, organization_id, failed_at, run_number, attempt, kind, job_type, reason, error_code, error_message, payload_snapshot,
        checkpoint_snapshot
    )
    SELECT
        id, organization_id, at, run_number, attempt, kind, job_type, reason, error_code, error_message, payload, checkpoint
    FROM given_up
), delivery AS (
    INSERT INTO {schema}.job_dead_letter_deliveries (job_id, due_at, run_number, job_type, hook)
    SELECT g.id, g.at, g.run_number, g.job_type, h.hook
    FROM given_up g JOIN {schema}.job_dead_letter_hooks h ON h.job_type = g.job_type
    WHERE h.seen_at > now() - interval '30 days'
)
