-- Looks up runs that somebody waits for; answers with those that are new to the asker, have ended or are not there.
-- Parameters: run ids, whether each is new.
SELECT i.id AS asked_id, r.*
FROM unnest(?::uuid[], ?::boolean[]) AS i (id, is_new) LEFT JOIN {schema}.workflow_runs r ON r.id = i.id
WHERE i.is_new OR r.id IS NULL OR r.status NOT IN ('RUNNING', 'WAITING_FOR_EXTERNAL')
