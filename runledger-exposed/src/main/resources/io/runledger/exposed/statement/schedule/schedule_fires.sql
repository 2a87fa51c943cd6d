-- A page of the history of a schedule, the newest first. :after_time, :after_cause and :after_key are the position of the cursor; a null
-- :after_time starts at the newest entry. Among entries of one instant, those of a backfill come first and those of the clock next: a poll
-- that an operator requested follows the request. The primary key gives the instants in order, so only the entries of one instant are sorted. The first condition on
-- the cursor limits the range of the index; the second one skips entries of its instant.
SELECT f.*
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = (SELECT s.id FROM {schema}.job_schedules s WHERE s.name = :name AND {scope s})
    AND f.scheduled_for <= coalesce(:after_time::timestamptz, 'infinity')
    AND (:after_time::timestamptz IS NULL OR f.scheduled_for < :after_time OR (f.cause, f.dedup_key) > (:after_cause::text, :after_key::text))
ORDER BY f.scheduled_for DESC, f.cause, f.dedup_key
LIMIT :limit
