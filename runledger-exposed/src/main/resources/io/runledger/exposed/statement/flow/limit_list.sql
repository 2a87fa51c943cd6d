-- A page of limits in order of name, without those of queues.
SELECT l.* FROM {schema}.limits l
WHERE l.name NOT LIKE 'queue:%' AND (:after::text IS NULL OR l.name > :after)
ORDER BY l.name
LIMIT :limit
