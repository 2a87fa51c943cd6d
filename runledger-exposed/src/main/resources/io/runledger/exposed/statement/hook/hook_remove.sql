-- Deletes a hook and its pending deliveries.
WITH hook AS (
    DELETE FROM {schema}.job_dead_letter_hooks WHERE hook = :hook
), delivery AS (
    DELETE FROM {schema}.job_dead_letter_deliveries WHERE hook = :hook RETURNING 1
)
SELECT count(*) AS letters FROM delivery
