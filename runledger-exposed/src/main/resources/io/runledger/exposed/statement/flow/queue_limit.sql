-- Sets the values of a queue that apply unless it is paused. limit_lock holds the row.
UPDATE {schema}.limits
SET declared_permits = :permits::int, declared_rate_count = :rate_count::int, declared_rate_period_us = :rate_period_us::bigint,
    declared_rate_burst = :rate_burst::int, updated_at = now()
WHERE name = :name
