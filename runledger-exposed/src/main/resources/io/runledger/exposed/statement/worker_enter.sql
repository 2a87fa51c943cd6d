-- Puts a worker on the list. What was ordered meanwhile it learns from its first beat, which begins after this is committed: an order is
-- committed before its list is read, so one of the two sees the other.
-- Parameters: id, worker id, labels, job types, slots, version of the library, version of the service, host, process id, beat in
-- milliseconds.
INSERT INTO {schema}.workers (
    id, worker_id, labels, job_types, slots, library_version, application_version, host, process_id, beat_ms, started_at, beat_at
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO NOTHING
