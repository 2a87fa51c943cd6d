-- Records the end of an action, with what is known only then. Null parameters keep the values from the beginning.
UPDATE {schema}.operator_actions
SET finished_at = clock_timestamp(), changed = changed + :changed, total = coalesce(:total, total),
    organization_id = coalesce(:organization_id, organization_id), target = coalesce(:target, target),
    details = details || :details::text::jsonb
WHERE id = :id
