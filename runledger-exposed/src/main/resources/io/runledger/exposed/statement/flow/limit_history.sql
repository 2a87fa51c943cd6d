-- A page of the changes of a limit or queue, newest first.
SELECT c.* FROM {schema}.limit_changes c
WHERE c.name = :name AND (:before::timestamptz IS NULL OR c.changed_at < :before)
ORDER BY c.changed_at DESC
LIMIT :limit
