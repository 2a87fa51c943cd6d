-- Forgets a hook and what waits for it. Parameters: hook, hook.
WITH hook AS (
    DELETE FROM {schema}.job_dead_letter_hooks WHERE hook = ?
), delivery AS (
    DELETE FROM {schema}.job_dead_letter_deliveries WHERE hook = ? RETURNING 1
)
SELECT count(*) AS letters FROM delivery
