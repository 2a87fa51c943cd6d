-- Roles with minimal rights, for a ledger in schema runledger. Run this script as the owner of the schema, or as a superuser,
-- after the migration and after every upgrade. It may be repeated. Then make the login role of each service a member of one role:
--
--     GRANT runledger_producer TO shop_web;
--     GRANT runledger_worker TO shop_jobs;
--
-- runledger_migrator owns the objects it creates and has all rights on them. The other four roles may not create or drop objects.
-- For a ledger in another schema, Ledgers.createRoles(schema) runs this script with that schema's name in the names of the roles.
--
-- The comment on a role marks it as created by this script. An existing role of the same name without that comment is refused.
-- So is a role that can log in: it would get the ledger's rights, and the roles that include it would get its rights elsewhere.
DO $$
DECLARE
    mark CONSTANT text := 'Made by the roles.sql of Runledger';
    name text;
    known record;
BEGIN
    -- The role that runs this script may create roles, so the script must not call functions from schemas of other roles.
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

-- Reads everything: dashboards, support, verify() and health().
GRANT USAGE ON SCHEMA runledger TO runledger_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA runledger TO runledger_reader;

-- Enqueues jobs and starts runs. Locking a row needs the right to update one of its columns: here the time of the last change.
GRANT runledger_reader TO runledger_producer;
GRANT INSERT ON
    runledger.job_queue, runledger.workflow_runs, runledger.workflow_step_rows, runledger.workflow_step_dependencies,
    runledger.workflow_active_claims, runledger.job_keys
TO runledger_producer;
GRANT UPDATE (updated_at) ON runledger.job_definitions, runledger.job_queue, runledger.workflow_runs TO runledger_producer;
-- An enqueue with a key takes the key, and lets it refer to the new job. An enqueue that debounces jobs or replaces waiting ones changes jobs,
-- which a producer may not: a service that does this needs these rights in addition, or the role of a worker:
--
--     GRANT UPDATE (payload, headers, next_run_at, priority) ON runledger.job_queue TO shop_web;
--     GRANT INSERT ON runledger.job_journal TO shop_web;
--
GRANT UPDATE (job_id, ends_at) ON runledger.job_keys TO runledger_producer;

-- Claims and settles jobs, releases dependents, fires schedules, expires gates, reaps. Deletes no history, only active keys that
-- a run releases, letters that a hook has received and workers that stopped. An operator declares job types and gives orders to
-- workers.
GRANT runledger_producer TO runledger_worker;
GRANT INSERT, UPDATE ON
    runledger.job_queue, runledger.workflow_runs, runledger.workflow_step_rows, runledger.workflow_active_claims,
    runledger.job_dead_letter_hooks, runledger.job_dead_letter_deliveries, runledger.job_schedule_fires
TO runledger_worker;
GRANT INSERT ON
    runledger.job_attempts, runledger.job_journal, runledger.job_logs, runledger.job_dead_letters,
    runledger.workflow_step_journal, runledger.workflow_run_journal, runledger.workflow_run_mutations
TO runledger_worker;
-- A worker may create triggers, but no other schedules: these need a column that it may not write. It may set the next fire of
-- existing schedules; only an operator changes their target and times. A worker may not change which order stops a registered
-- worker. REVOKE removes the rights of roles that an earlier version created.
REVOKE INSERT, UPDATE ON runledger.job_schedules, runledger.workers FROM runledger_worker;
GRANT INSERT (id, name, kind, interval_seconds, next_fire_at, anchor_at),
    UPDATE (
        interval_seconds, next_fire_at, anchor_at, deferred_from, is_active, declared_is_active, last_fired_at, last_job_id, last_run_id,
        poll_id, poll_until
    )
ON runledger.job_schedules TO runledger_worker;
GRANT INSERT (
        id, worker_id, labels, job_types, queues, slots, library_version, application_version, host, process_id, beat_ms, started_at,
        beat_at, stop_order_id
    ),
    UPDATE (beat_at, state, busy_slots, held_jobs)
ON runledger.workers TO runledger_worker;
GRANT DELETE ON runledger.workflow_active_claims, runledger.job_dead_letter_deliveries, runledger.workers TO runledger_worker;
GRANT INSERT, UPDATE, DELETE ON runledger.limit_keys TO runledger_worker;

-- Changes definitions, schedules and settings, gives orders to workers, cancels, requeues, replays, edits, and prunes old data.
GRANT runledger_worker TO runledger_operator;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA runledger TO runledger_operator;
REVOKE INSERT, UPDATE, DELETE ON runledger.runledger_migration_history FROM runledger_operator;
-- Adds to the record of an action while it runs, and marks it as undone. Actor, action, reason, key and start never change.
REVOKE UPDATE ON runledger.operator_actions FROM runledger_operator;
GRANT UPDATE (organization_id, undone_by, finished_at, changed, total, target, details) ON runledger.operator_actions
TO runledger_operator;

-- Migrates the schema.
GRANT runledger_operator TO runledger_migrator;
GRANT CREATE ON SCHEMA runledger TO runledger_migrator;
