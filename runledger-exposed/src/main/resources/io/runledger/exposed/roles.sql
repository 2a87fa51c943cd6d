-- Roles that may do no more than they must, for a ledger in schema runledger. Run it as the owner of the schema, or as a superuser,
-- after the migration and again after every upgrade; it may be repeated. Then make each service's own role a member of one:
--
--     GRANT runledger_producer TO shop;
--     GRANT runledger_worker TO shop_worker;
--
-- runledger_migrator owns what it creates and so may do everything; the other four may neither create nor drop anything.
-- For a ledger in another schema Ledgers.createRoles(schema) runs it with that schema's name and roles named after it.
DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['reader', 'producer', 'worker', 'operator', 'migrator'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'runledger_' || role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', 'runledger_' || role);
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
    runledger.job_dead_letter_hooks, runledger.job_dead_letter_deliveries, runledger.job_schedule_fires, runledger.workers
TO runledger_worker;
GRANT INSERT ON
    runledger.job_attempts, runledger.job_journal, runledger.job_logs, runledger.job_dead_letters,
    runledger.workflow_step_journal, runledger.workflow_run_journal, runledger.workflow_run_mutations
TO runledger_worker;
GRANT INSERT, UPDATE ON runledger.job_schedules TO runledger_worker;
GRANT DELETE ON runledger.workflow_active_claims, runledger.job_dead_letter_deliveries, runledger.workers TO runledger_worker;

-- Changes definitions, schedules and settings, gives orders to workers, cancels, requeues, replays, edits, and forgets what is old.
GRANT runledger_worker TO runledger_operator;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA runledger TO runledger_operator;
REVOKE INSERT, UPDATE, DELETE ON runledger.runledger_migration_history FROM runledger_operator;

-- Brings the schema up to date.
GRANT runledger_operator TO runledger_migrator;
GRANT CREATE ON SCHEMA runledger TO runledger_migrator;
