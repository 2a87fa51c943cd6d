-- Deletes the rows of limit keys that no claim has locked and whose rate is not spent. A claim that needs one of them makes it again.
WITH gone AS MATERIALIZED (
    SELECT k.limit_key FROM {schema}.limit_keys k
    WHERE k.used_at <= now() - :age_us::bigint * interval '1 microsecond' AND k.spent_until <= now()
    LIMIT :limit
    FOR UPDATE OF k SKIP LOCKED
)
DELETE FROM {schema}.limit_keys k USING gone WHERE k.limit_key = gone.limit_key
