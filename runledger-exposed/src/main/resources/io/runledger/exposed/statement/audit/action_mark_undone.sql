-- Marks an action as undone. No row if it is marked already. Two undos of one action wait for each other here, before they change anything.
UPDATE {schema}.operator_actions a SET undone_by = :undo_id WHERE a.id = :id AND a.undone_by IS NULL RETURNING a.id
