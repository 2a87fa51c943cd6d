-- Adds the rows of a batch to a running action. No row if the action was undone meanwhile: the rest of it must not happen.
UPDATE {schema}.operator_actions
SET changed = changed + :changed, details = details || :details::text::jsonb
WHERE id = :id AND undone_by IS NULL
RETURNING id
