-- Roles that may do no more than they must, for a ledger in schema runledger. Run it as the owner of the schema, or as a superuser,
-- after the migration and again after every upgrade; it may be repeated. Then make each service's own login a member of one:
--
--     GRANT runledger_producer TO shop_web;
--     GRANT runledger_worker TO shop_jobs;
--
-- runledger_migrator owns what it creates and so may do everything; the other four may neither create nor drop anything.
-- For a ledger in another schema Ledgers.createRoles(schema) runs it with that schema's name and roles named after it.
--
-- The comment on a role marks it as made here. One of the same name that somebody else made is refused, and so is one that can log in:
-- it would get the ledger's rights, and the roles above it would get whatever it may do elsewhere.
DO $$
DECLARE
    mark CONSTANT text := 'Made by the roles.sql of Runledger';
    name text;
    known record;
BEGIN
    -- Whoever runs this may create roles: nothing in it is to be looked up where others put functions.
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog', true);
    FOREACH name IN ARRAY ARRAY['reader', 'producer', 'worker', 'operator', 'migrator'] LOOP
        name := 'runledger_' || name;
        SELECT rolcanlogin AS is_login, shobj_description(oid, 'pg_authid') IS NOT DISTINCT FROM mark AS is_own
        INTO known FROM pg_roles WHERE rolname = name;
        IF NOT FOUND THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            EXECUTE format('COMMENT ON ROLE %I IS %L', name, mark);
        ELSIF NOT known.is_own THEN
            RAISE EXCEPTION USING ERRCODE = 'RL001', MESSAGE = format(
                'The role %I exists and was not made for this ledger: rename it, or keep the ledger in a schema of another name. '
                'If it is the ledger''s all the same, say so: COMMENT ON ROLE %I IS %L', name, name, mark);
        ELSIF known.is_login THEN
            RAISE EXCEPTION USING ERRCODE = 'RL001', MESSAGE = format(
                'The role %I can log in, which roles of a ledger must not: say ALTER ROLE %I NOLOGIN, and make another login '
                'a member of it.', name, name);
        END IF;
    END LOOP;
END
$$;

-- Sees everything: dashboards, support, verify() and health().
GRANT USAGE ON SCHEMA runledger TO runledger_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA runledger TO runledger_reader;

-- Enqueues jobs and starts runs. Locking a row takes the right to update a column of it; the one given says when the row last changed.
GRANT runledger_reader TO runledger_producer;
GRANT INSERT ON
    runledger.job_queue, runledger.workflow_runs, runledger.workflow_steps, runledger.workflow_step_dependencies,
    runledger.workflow_active_claims
TO runledger_producer;
GRANT UPDATE (updated_at) ON runledger.job_definitions, runledger.job_queue, runledger.workflow_runs TO runledger_producer;

-- Claims and settles, releases dependents, fires schedules, expires gates, reaps. Deletes nothing of the ledger's: keys that a run
-- gives back, letters that a hook has taken and workers that ended are no history. Job types are declared, and orders to workers given,
-- by an operator.
GRANT runledger_producer TO runledger_worker;
GRANT INSERT, UPDATE ON
    runledger.job_queue, runledger.workflow_runs, runledger.workflow_steps, runledger.workflow_active_claims,
    runledger.job_dead_letter_hooks, runledger.job_dead_letter_deliveries, runledger.job_schedule_fires
TO runledger_worker;
GRANT INSERT ON
    runledger.job_attempts, runledger.job_journal, runledger.job_logs, runledger.job_dead_letters,
    runledger.workflow_step_journal, runledger.workflow_run_journal, runledger.workflow_run_mutations
TO runledger_worker;
-- Of schedules it makes triggers alone, for any other kind needs a column that it may not fill, and moves what is there; what a schedule
-- does, and when, is an operator's to say. Of workers that are on the list it cannot say which order ends them. The revocation is for
-- roles made earlier.
REVOKE INSERT, UPDATE ON runledger.job_schedules, runledger.workers FROM runledger_worker;
GRANT INSERT (id, name, kind, interval_seconds, next_fire_at, anchor_at),
    UPDATE (
        interval_seconds, next_fire_at, anchor_at, deferred_from, is_active, declared_is_active, last_fired_at, last_job_id, last_run_id,
        poll_id, poll_until
    )
ON runledger.job_schedules TO runledger_worker;
GRANT INSERT (
        id, worker_id, labels, job_types, slots, library_version, application_version, host, process_id, beat_ms, started_at, beat_at,
        stop_order_id
    ),
    UPDATE (beat_at, state, busy_slots)
ON runledger.workers TO runledger_worker;
GRANT DELETE ON runledger.workflow_active_claims, runledger.job_dead_letter_deliveries, runledger.workers TO runledger_worker;

-- Changes definitions, schedules and settings, gives orders to workers, cancels, requeues, replays, edits, and forgets what is old.
GRANT runledger_worker TO runledger_operator;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA runledger TO runledger_operator;
REVOKE INSERT, UPDATE, DELETE ON runledger.runledger_migration_history FROM runledger_operator;

-- Brings the schema up to date.
GRANT runledger_operator TO runledger_migrator;
GRANT CREATE ON SCHEMA runledger TO runledger_migrator;
