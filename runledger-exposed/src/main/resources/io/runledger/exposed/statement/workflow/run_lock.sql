-- Locks a run and reads it. Every change of a run begins with this lock.
SELECT r.* FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r} FOR NO KEY UPDATE OF r
