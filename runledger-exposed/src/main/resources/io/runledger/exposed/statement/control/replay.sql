-- Inserts a job that repeats a succeeded one, and records the link between the two. No row means that the type has no enabled definition.
WITH source AS (
    SELECT * FROM {schema}.job_queue WHERE id = :source_id
), definition AS MATERIALIZED (
    SELECT job_type FROM {schema}.job_definitions WHERE job_type = (SELECT job_type FROM source) AND is_enabled FOR KEY SHARE
), new_job AS (
    SELECT
        :replay_id::uuid AS id, s.job_type, s.organization_id, s.payload, s.priority, s.max_attempts, s.timeout_seconds, s.retry_policy,
        s.headers,
        nullif(jsonb_strip_nulls(jsonb_build_object(
            'queue', s.queue, 'limits', to_jsonb(s.limit_keys), 'order', s.order_key, 'holds', s.holds_order, 'share', s.share_key
        )), '{}') AS flow
    FROM source s JOIN definition d ON d.job_type = s.job_type
), copy AS (
    {fragment/insert_job}
    RETURNING id, job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || job_type) FROM copy WHERE {signals}
)
INSERT INTO {schema}.job_replays (replay_job_id, source_job_id, source_run_number, replay_request_key, reason)
SELECT c.id, s.id, s.run_number, :request_key, :reason
FROM copy c CROSS JOIN source s CROSS JOIN (SELECT count(*) FROM signal) notified
RETURNING replay_job_id, source_job_id, source_run_number, replay_request_key, reason, created_at
