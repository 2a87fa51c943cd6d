package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger

/**
 * Keeps what retention deletes. Triggers copy every deleted row to a table of the same name in the schema `gone`; the views in the
 * schema `whole` show the ledger as if nothing had been deleted. A session that holds [LOCK] stops a deletion in the middle.
 */
internal object History {
    /** An advisory lock that every deletion shares. */
    const val LOCK = 17

    /** The schema in which `verify()` reads the ledger with all deleted rows. */
    const val SCHEMA = "whole"

    fun keep(ledger: TestLedger) {
        ledger.run("CREATE SCHEMA gone; CREATE SCHEMA $SCHEMA; $KEEP")
        kept.forEach { table ->
            ledger.run(
                """
                CREATE TABLE gone.$table (LIKE runledger.$table);
                CREATE TRIGGER keep AFTER DELETE ON runledger.$table FOR EACH ROW EXECUTE FUNCTION gone.keep();
                CREATE VIEW $SCHEMA.$table AS SELECT * FROM runledger.$table UNION ALL SELECT * FROM gone.$table
                """,
            )
        }
        // A released key is not history, the key of a job goes with it, and job types and changes of limits are never deleted.
        listOf("workflow_active_claims", "job_definitions", "limit_changes", "job_keys").forEach { table ->
            ledger.run("CREATE VIEW $SCHEMA.$table AS SELECT * FROM runledger.$table")
        }
        ledger.run("CREATE INDEX ON gone.job_attempts (finished_at); CREATE INDEX ON gone.job_attempts (job_id)")
        listOf("job_events", "workflow_steps").forEach { ledger.run("CREATE VIEW $SCHEMA.$it AS ${ofTheWhole(ledger, it)}") }
    }

    private fun ofTheWhole(ledger: TestLedger, view: String): String =
        ledger.value("SELECT pg_get_viewdef('runledger.$view'::regclass)")
            .replace(Regex("\\brunledger\\.(${kept.joinToString("|")})\\b"), "$SCHEMA.$1")

    private val kept = listOf(
        "job_queue",
        "job_attempts",
        "job_journal",
        "job_dead_letters",
        "job_replays",
        "job_schedule_fires",
        "workflow_runs",
        "workflow_step_rows",
        "workflow_step_dependencies",
        "workflow_run_journal",
    )

    private const val KEEP = """
        CREATE FUNCTION gone.keep() RETURNS trigger LANGUAGE plpgsql AS ${'$'}body${'$'}
        BEGIN
            PERFORM pg_advisory_xact_lock_shared($LOCK);
            EXECUTE format('INSERT INTO gone.%I SELECT (${'$'}1).*', TG_TABLE_NAME) USING OLD;
            RETURN NULL;
        END ${'$'}body${'$'}
    """
}
