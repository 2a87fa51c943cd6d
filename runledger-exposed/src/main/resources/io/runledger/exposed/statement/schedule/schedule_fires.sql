-- A page of the history of a schedule, the newest first, in the order of the primary key: a page is one range of its index. :after_time,
-- :after_cause and :after_key are the position of the cursor; null starts at the newest entry.
SELECT f.*
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = (SELECT s.id FROM {schema}.job_schedules s WHERE s.name = :name AND {scope s})
    AND (f.scheduled_for, f.cause, f.dedup_key) < (
        coalesce(:after_time::timestamptz, 'infinity'), coalesce(:after_cause::text, ''), coalesce(:after_key::text, '')
    )
ORDER BY f.scheduled_for DESC, f.cause DESC, f.dedup_key DESC
LIMIT :limit
