-- The keys of unique, throttled, debounced and replaced jobs. Jobs without such a key have no row here, and their statements do not read
-- this table.
-- A key has one row, which refers to the job that was enqueued with it last. An enqueue takes the row by INSERT … ON CONFLICT, so that equal
-- keys wait for each other. Retention deletes the row together with its job, and keeps a job whose window is still open.
-- No foreign key to job_queue: PostgreSQL would check it at every change of every job.
CREATE TABLE "${schema}".job_keys (
    job_id uuid NOT NULL,
    organization_id uuid,
    ends_at timestamptz,
    is_payload boolean NOT NULL,
    job_type text NOT NULL,
    key text NOT NULL,
    CONSTRAINT job_keys_pkey PRIMARY KEY (job_id),
    CONSTRAINT chk_job_keys_key_not_blank CHECK (length(trim(key)) > 0)
);
-- The key first: an organization is looked up by IS NOT DISTINCT FROM, which cannot narrow an index scan.
CREATE UNIQUE INDEX uq_job_keys_key ON "${schema}".job_keys (key, job_type, is_payload, organization_id) NULLS NOT DISTINCT;
COMMENT ON TABLE "${schema}".job_keys IS 'Which job was enqueued last with a key of a unique, throttled, debounced or replaced job';
COMMENT ON COLUMN "${schema}".job_keys.job_id IS 'The job that was enqueued last with the key';
COMMENT ON COLUMN "${schema}".job_keys.organization_id IS 'The organization of the job; null for a global job';
COMMENT ON COLUMN "${schema}".job_keys.ends_at IS 'Until when the job stands in the way whatever its state; null when only its state counts';
COMMENT ON COLUMN "${schema}".job_keys.is_payload IS 'Whether the key is the digest of the payload';
COMMENT ON COLUMN "${schema}".job_keys.job_type IS 'The type of the job';
COMMENT ON COLUMN "${schema}".job_keys.key IS 'The key, or the digest of the canonical payload';
