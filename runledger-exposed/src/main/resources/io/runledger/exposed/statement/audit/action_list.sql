-- A page of actions, newest first. Each filter with an index has the id as its next column, so nothing is sorted.
SELECT a.* FROM {schema}.operator_actions a
WHERE {scope a} {filters}
ORDER BY a.id DESC
LIMIT :limit
