-- Removes the record of an action that was refused, in the transaction that wrote it.
DELETE FROM {schema}.operator_actions WHERE id = :id
