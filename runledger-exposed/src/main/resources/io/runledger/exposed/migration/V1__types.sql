-- ${schema} is replaced by the checked schema name. Every object is schema-qualified: nothing here depends on search_path.

CREATE TYPE "${schema}".job_status AS ENUM ('PENDING', 'LEASED', 'SUCCEEDED', 'DEAD_LETTERED', 'CANCELED');
COMMENT ON TYPE "${schema}".job_status IS 'Where a job stands';

CREATE TYPE "${schema}".job_event_type AS ENUM (
    'ENQUEUED', 'LEASED', 'HEARTBEAT', 'STAGE_CHANGED', 'PROGRESS', 'RETRY_SCHEDULED', 'SUCCEEDED', 'FAILED',
    'DEAD_LETTERED', 'CANCELED', 'REQUEUED', 'EDITED', 'TIMEOUT_IGNORED'
);
COMMENT ON TYPE "${schema}".job_event_type IS 'What happened to a job';

-- The first five are kinds of failure; the last three make every ended attempt say how it ended.
CREATE TYPE "${schema}".job_failure_kind AS ENUM (
    'RETRYABLE', 'TERMINAL', 'PANICKED', 'TIMEOUT', 'LEASE_EXPIRED', 'SUCCEEDED', 'CANCELED', 'INTERRUPTED'
);
COMMENT ON TYPE "${schema}".job_failure_kind IS 'How an attempt ended';

CREATE TYPE "${schema}".workflow_run_status AS ENUM (
    'RUNNING', 'WAITING_FOR_EXTERNAL', 'SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED'
);
COMMENT ON TYPE "${schema}".workflow_run_status IS 'Where a run stands';

CREATE TYPE "${schema}".workflow_step_status AS ENUM (
    'BLOCKED', 'WAITING_FOR_EXTERNAL', 'ENQUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED'
);
COMMENT ON TYPE "${schema}".workflow_step_status IS 'Where a step stands';

CREATE TYPE "${schema}".workflow_dependency_release_mode AS ENUM ('ON_TERMINAL', 'ON_SUCCESS', 'ON_FAILURE');
COMMENT ON TYPE "${schema}".workflow_dependency_release_mode IS 'When a dependency counts as satisfied';

CREATE TYPE "${schema}".workflow_step_execution_kind AS ENUM ('JOB', 'EXTERNAL');
COMMENT ON TYPE "${schema}".workflow_step_execution_kind IS 'Whether a step is a job or a gate';

CREATE TYPE "${schema}".workflow_step_event_type AS ENUM (
    'CREATED', 'RELEASED', 'OPENED', 'STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED', 'RESET', 'EDITED'
);
COMMENT ON TYPE "${schema}".workflow_step_event_type IS 'What happened to a workflow step';

-- Column defaults call this function, so that the catalog is the same on every server version. The library makes ids itself;
-- the default serves rows inserted by hand.
DO $body$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        CREATE FUNCTION "${schema}".uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
            AS 'SELECT pg_catalog.uuidv7()';
    ELSE
        -- A random (version 4) uuid with the millisecond laid over its first 48 bits and the version set to 7.
        CREATE FUNCTION "${schema}".uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
            AS $fn$
                SELECT encode(
                    set_byte(
                        overlay(
                            uuid_send(gen_random_uuid())
                            PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                            FROM 1 FOR 6
                        ),
                        6,
                        112 | (get_byte(uuid_send(gen_random_uuid()), 6) & 15)
                    ),
                    'hex'
                )::uuid
            $fn$;
    END IF;
END
$body$;
COMMENT ON FUNCTION "${schema}".uuidv7() IS 'A time-ordered id: the server''s own function where it has one';

CREATE FUNCTION "${schema}".is_visible(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $fn$ SELECT $1 ~ '[^[:space:]\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]' $fn$;
COMMENT ON FUNCTION "${schema}".is_visible(text) IS 'Whether a text has a character that is not white space, as Unicode understands it';

CREATE FUNCTION "${schema}".set_updated_at_timestamp() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$body$;
COMMENT ON FUNCTION "${schema}".set_updated_at_timestamp() IS 'Row trigger of the rarely written tables; hot tables set the column themselves';

CREATE TABLE "${schema}".runledger_migration_history (
    version bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT runledger_migration_history_pkey PRIMARY KEY (version)
);
COMMENT ON TABLE "${schema}".runledger_migration_history IS
    'Fence: migrations that an older library must not tolerate. Additive migrations stay out, so old and new can run side by side';
COMMENT ON COLUMN "${schema}".runledger_migration_history.version IS 'The migration''s version';
COMMENT ON COLUMN "${schema}".runledger_migration_history.recorded_at IS 'When it was applied';

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (1);
