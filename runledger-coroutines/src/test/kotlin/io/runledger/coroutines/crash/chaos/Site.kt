package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.crash.FakeClock
import io.runledger.coroutines.crash.OPEN_JOBS
import io.runledger.coroutines.crash.count
import io.runledger.coroutines.until
import io.runledger.postgres.EmbeddedPostgres
import kotlin.random.Random

/** All parts that can fail, and the functions that make them fail. */
internal class Site(
    private val ledger: TestLedger,
    private val server: EmbeddedPostgres,
    private val crews: List<Crew>,
    private val callers: List<Caller>,
    private val traffic: ChaosTraffic,
    private val random: Random,
) {
    private val lines = crews.map { it.line } + callers.map { it.line }

    /** Keeps enqueuing, and does [meanwhile], until so many more attempts have ended. */
    suspend fun goOn(attempts: Int = 30, meanwhile: () -> Unit = {}) {
        val begin = now()
        working("$attempts more attempts have ended") {
            meanwhile()
            endedSince(begin) >= attempts
        }
    }

    suspend fun happen(fault: Fault) {
        val crew = crews.random(random)
        when (fault) {
            Fault.WORKER_KILLED -> crew.kill()
            Fault.WORKER_FROZEN -> freeze(crew)
            Fault.LINE_CUT -> crew.line.cut()
            Fault.LINE_SLOW -> slowDown(crew)
            Fault.LINE_HALF_OPEN -> crew.line.forget()
            Fault.POOL_EXHAUSTED -> exhaust(crew)
            Fault.CLOCK_WRONG -> crew.kill(FakeClock.WRONG.random(random))
            Fault.ANSWER_LOST -> crew.line.loseAnswers()
            Fault.CLAIM_ANSWER_LOST -> loseClaims(crew)
            Fault.CALLER_ANSWER_LOST -> disturbCaller()
            Fault.BACKENDS_TERMINATED -> ledger.run("SELECT pg_terminate_backend(pid) FROM $SESSIONS")
            Fault.SERVER_KILLED -> server.kill().also { server.restart() }
            Fault.SERVER_READ_ONLY -> forbidWrites()
            Fault.ERRORS_INJECTED -> inject(Injection.CONTENTION) { goOn(10) }
            Fault.STATEMENT_TIMEOUT -> inject(Injection.SLOWNESS) { limitStatements() }
            Fault.STATEMENTS_CANCELED -> goOn(20, ::cancelStatements)
            Fault.DISK_FULL -> inject(Injection.FULL_DISK) { refuseWrites() }
            Fault.ROWS_AND_KEYS_HELD -> holdRows()
            Fault.JANITOR_KILLED -> killJanitor()
        }
    }

    private suspend fun freeze(crew: Crew) {
        crew.freeze()
        val begin = now()
        until("its leases have run out") {
            ledger.count("runledger.job_queue WHERE status = 'LEASED' AND leased_at < '$begin'") == 0L
        }
        crew.wake()
    }

    private suspend fun slowDown(crew: Crew) {
        crew.line.delay(millis = 50)
        goOn()
        crew.line.delay(millis = 0)
    }

    private suspend fun exhaust(crew: Crew) {
        crew.exhaust()
        goOn()
        crew.giveBack()
    }

    private suspend fun loseClaims(crew: Crew) {
        val before = crew.lostClaims
        crew.loseClaims()
        working("the answer to the commit of a claim is lost") { crew.lostClaims > before }
    }

    private fun disturbCaller() {
        callers.first().isDisturbed = true
        repeat(CALLERS_ROUNDS) { traffic.round() }
        callers.first().isDisturbed = false
    }

    private suspend fun forbidWrites() {
        ledger.configure("SET default_transaction_read_only = on")
        crews.forEach { it.line.cut() }
        until("workers are back") { ledger.count("$SESSIONS AND application_name LIKE '$CREW%'") >= 2 }
        ledger.configure("RESET default_transaction_read_only")
        crews.forEach { it.line.cut() }
    }

    private fun cancelStatements() {
        ledger.run("SELECT pg_cancel_backend(pid) FROM $SESSIONS AND state = 'active'")
    }

    private suspend fun limitStatements() {
        ledger.configure("SET statement_timeout = '250ms'")
        lines.forEach { it.cut() }
        goOn(20)
        ledger.configure("RESET statement_timeout")
        lines.forEach { it.cut() }
    }

    private suspend fun refuseWrites() {
        val before = Injection.refusals(ledger)
        until("writes were refused") { Injection.refusals(ledger) >= before + 20 }
    }

    private suspend fun holdRows() = HostTransaction(ledger, callers.first()).use { host ->
        host.hold()
        // Not all calls, because some may wait for the held rows: other jobs continue.
        val begin = now()
        traffic.enqueueSettled(40)
        until("20 more attempts have ended beside what is held") { endedSince(begin) >= 20 }
        if (random.nextBoolean()) host.commit()
    }

    private suspend fun killJanitor() = ledger.database.connect().use { holder ->
        holder.createStatement().use { it.execute("SELECT pg_advisory_lock(${History.LOCK})") }
        var stopped = emptyList<String>()
        until("a deletion is stopped in its middle") {
            stopped = ledger.rows(STOPPED)
            stopped.isNotEmpty()
        }
        crews.single { it.name == stopped.first() }.kill()
    }

    private suspend fun inject(injection: Injection, meanwhile: suspend () -> Unit) {
        injection.begin(ledger)
        meanwhile()
        injection.end(ledger)
    }

    /** Enqueues work while there is little, until [condition] holds. */
    private suspend fun working(what: String, condition: () -> Boolean) = until(what) {
        if (ledger.count(OPEN_JOBS) < MOST_OPEN) traffic.round()
        condition()
    }

    private fun now() = ledger.value("SELECT clock_timestamp()")

    private fun endedSince(begin: String) = ledger.count("whole.job_attempts WHERE finished_at >= '$begin'")

    private companion object {
        const val MOST_OPEN = 200L
        const val SESSIONS = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        const val STOPPED = """
            SELECT DISTINCT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.objid = ${History.LOCK} AND NOT l.granted
                AND a.application_name LIKE '$CREW%'
        """
    }
}

/** Enough for every kind of call. */
internal const val CALLERS_ROUNDS = 4
