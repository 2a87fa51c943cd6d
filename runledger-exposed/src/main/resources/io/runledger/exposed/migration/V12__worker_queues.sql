-- Why a job waits can say that no worker serves its queue.
ALTER TABLE "${schema}".workers ADD COLUMN queues text[];
COMMENT ON COLUMN "${schema}".workers.queues IS
    'The queues it claims from, default for the jobs in no named queue; null for all, and for a worker of an earlier version';
