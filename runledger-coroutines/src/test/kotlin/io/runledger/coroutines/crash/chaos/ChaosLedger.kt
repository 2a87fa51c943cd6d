package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger
import io.runledger.model.json.Json
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.PostgresServer
import java.time.Duration

/** The same server for the test itself, whose sessions are not subject to the limits that the database sets for all others. */
internal class UnlimitedSessions(private val server: EmbeddedPostgres) :
    PostgresServer(server.host, server.port, server.user, server.password, server.maintenanceDatabase) {
    private val limits = listOfNotNull(
        "statement_timeout",
        "idle_in_transaction_session_timeout",
        "default_transaction_read_only",
        "transaction_timeout".takeIf { server.majorVersion >= TRANSACTION_TIMEOUT },
    )

    override fun jdbcUrl(database: String): String =
        limits.joinToString("%20", prefix = "${server.jdbcUrl(database)}?options=") { "-c%20$it=0" }

    override fun close() = server.close()
}

/** The first version of PostgreSQL that has one. */
private const val TRANSACTION_TIMEOUT = 17

internal const val TICK = "tick"
internal const val ROUND = "round"
internal val SCHEDULES = listOf(TICK, ROUND)

internal fun TestLedger.prepareForChaos() {
    client.migrate()
    client.definitions.sync(chaosTypes)
    run(
        """
        CREATE TABLE effects (
            job_id uuid NOT NULL, run_number integer NOT NULL, attempt integer NOT NULL, tag text NOT NULL, intent text NOT NULL
        );
        CREATE INDEX ON effects (job_id);
        CREATE INDEX ON effects (tag);
        CREATE TABLE inbox (tag text NOT NULL);
        CREATE TABLE happened (at timestamptz NOT NULL DEFAULT clock_timestamp(), fault text NOT NULL)
        """,
    )
    History.keep(this)
    Injection.prepare(this)
    // A process that is frozen in the middle of its handler's transaction would otherwise keep its job forever, also in the
    // middle of a message to the server: a session with half a message is not idle.
    configure("SET idle_in_transaction_session_timeout = '4s'")
    if (database.server.majorVersion >= TRANSACTION_TIMEOUT) configure("SET transaction_timeout = '20s'")
    makeSchedules()
}

/** Changes a setting for sessions that begin from now on. */
internal fun TestLedger.configure(change: String) = run("ALTER DATABASE \"${database.name}\" $change")

/** Every missed instant fires later, so there must be one fire for each. */
private fun TestLedger.makeSchedules() {
    val round = WorkflowRequest.builder("round").apply {
        val first = job("first") { it.runs(settled, Json.EMPTY_OBJECT) }
        job("second") { it.runs(settled, Json.EMPTY_OBJECT).after(first) }
    }.build()
    listOf(
        ScheduleRequest.builder(TICK, settled, Json.EMPTY_OBJECT).every(Duration.ofSeconds(2)),
        ScheduleRequest.builder(ROUND, round).every(Duration.ofSeconds(3)),
    ).forEach { client.schedules.upsert(it.fireAllMisfires(1_000).build()) }
}
