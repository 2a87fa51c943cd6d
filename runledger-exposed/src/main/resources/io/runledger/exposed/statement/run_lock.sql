-- Locks a run, which is what every change of it begins with, and answers with it.
SELECT r.* FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r} FOR NO KEY UPDATE OF r
