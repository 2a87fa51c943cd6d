package io.runledger.coroutines.crash.chaos

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.crash.OPEN_JOBS
import io.runledger.exposed.RunledgerClient
import java.util.UUID

/** Compares, at the end, the requests and the effects of handlers with the ledger, including deleted rows. */
internal class ChaosChecks(
    private val ledger: TestLedger,
    private val traffic: ChaosTraffic,
    private val jobs: Acknowledged,
    private val runs: Acknowledged,
    private val begun: Set<String>,
) {
    private val whole = RunledgerClient.builder(ledger.database.dataSource()).schema(History.SCHEMA).notifications(false).build()

    fun settle() = assertSoftly {
        nothing("open jobs", "SELECT id, status FROM $OPEN_JOBS")
        nothing("open runs", "SELECT id, status FROM runledger.workflow_runs WHERE finished_at IS NULL")
        nothing("forgotten before they ended", FORGOTTEN_OPEN)
        acknowledged("job", jobs, JOB_KEYS)
        acknowledged("run", runs, RUN_KEYS)
        effects()
        outcomes()
        workflows()
        nothing("instants without a fire", MISSED_INSTANTS)
        nothing("instants fired twice, or without their job or run", DOUBLED_INSTANTS)
        nothing("items of the inbox without exactly one job", WRONG_ITEMS)
        none("contradictions", ledger.client.verify().contradictions())
        none("contradictions with what was forgotten", whole.verify().contradictions())
    }

    /** How much the ledger held in all. */
    fun size(): String = "${whole.verify()}; ${ledger.value("SELECT count(*) FROM gone.job_queue")} jobs were forgotten"

    /** During the test: no attempt may have two effects. */
    fun nothingDoubled() = nothing("attempts with two effects", DOUBLED)

    /** During the test: no attempt may begin between the answer to a pause and the request to resume. */
    fun nothingBegunInPause() = none("attempts begun in a pause", traffic.pauses.flatMap { ledger.rows(begunWithin(it)) })

    private fun acknowledged(what: String, said: Acknowledged, rows: String) {
        val keyOf = ledger.rows(rows).associate { row -> row.split('|').let { UUID.fromString(it[0]) to it[1] } }
        none("acknowledged $what that is missing", said.ids - keyOf.keys)
        none("$what acknowledged as new more than once", said.insertedTwice)
        // A call without an answer may have taken effect, and its row may be deleted before the call is repeated.
        val unsaid = (keyOf - said.ids).values.groupingBy { it }.eachCount().filter { (key, times) -> times > said.missed(key) }
        none("$what that was not asked for", unsaid.entries)
    }

    private fun effects() {
        nothingDoubled()
        nothing("jobs settled by their handler without exactly one effect", WRONG_SETTLED)
        nothing("effects of attempts that ended otherwise", WRONG_ENDINGS)
        nothing("machines that were not at the step of their run", WRONG_STEPS)
        val unbegun = ledger.rows(GIVEN_UP_IN_REACH) - begun
        none("dead letters that no handler saw", unbegun)
    }

    private fun outcomes() {
        val wrong = ledger.rows(WRONG_STATUS)
        none("jobs that ended otherwise than their handler", wrong)
        val canceled = ledger.rows("SELECT id FROM whole.job_queue WHERE status = 'CANCELED'").map(UUID::fromString).toSet()
        none("jobs that were canceled and are not", traffic.canceledJobs - canceled)
    }

    private fun workflows() {
        val statuses = ledger.rows("SELECT id, status FROM whole.workflow_runs WHERE workflow_type = 'fan'")
            .associate { row -> row.split('|').let { UUID.fromString(it[0]) to it[1] } }
        none("canceled runs that are not", traffic.canceledRuns.filter { statuses[it] != "CANCELED" })
        none("runs that did not succeed", traffic.completedRuns.filter { statuses[it] != "SUCCEEDED" })
        val appended = ledger.rows(
            "SELECT workflow_run_id FROM whole.workflow_steps WHERE step_key = 'more'",
        ).map(UUID::fromString)
        none("appends that are missing", traffic.appended - appended.toSet())
        nothingBegunInPause()
        none("steps decided otherwise", decisions())
    }

    private fun decisions(): List<String> = ledger.rows(DECISIONS).mapNotNull { row ->
        val (key, step, status) = row.split('|')
        val expected = traffic.workflows.getValue(key).expected()[step]
        "$key $step is $status, expected $expected".takeIf { status != expected }
    }

    private fun begunWithin(pause: ChaosTraffic.Pause) = """
        SELECT s.workflow_run_id, s.step_key, a.attempt, a.leased_at, a.finished_at, a.outcome, a.worker_id,
            '${pause.answer}', '${pause.from}', '${pause.to}', (
                SELECT string_agg(j.event_type || ' at ' || j.occurred_at, ', ' ORDER BY j.occurred_at)
                FROM whole.workflow_run_journal j WHERE j.workflow_run_id = s.workflow_run_id
            )
        FROM whole.workflow_steps s JOIN whole.job_attempts a ON a.job_id = s.job_id
        WHERE s.workflow_run_id = '${pause.runId}' AND a.leased_at > '${pause.from}' AND a.leased_at < '${pause.to}'
    """

    private fun nothing(what: String, sql: String) = none(what, ledger.rows(sql))

    private fun none(what: String, found: Collection<Any>) =
        withClue("$what: ${found.take(MOST_SHOWN).joinToString()}") { found.shouldBeEmpty() }

    private companion object {
        const val MOST_SHOWN = 20

        const val JOB_KEYS = "SELECT id, idempotency_key FROM whole.job_queue WHERE idempotency_key IS NOT NULL"

        const val RUN_KEYS = "SELECT id, idempotency_key FROM whole.workflow_runs WHERE idempotency_key NOT LIKE 'schedule/%'"

        const val FORGOTTEN_OPEN = """
            SELECT id, status::text FROM gone.job_queue WHERE finished_at IS NULL
            UNION ALL SELECT id, status::text FROM gone.workflow_runs WHERE finished_at IS NULL
        """

        const val DOUBLED = "SELECT job_id, run_number, attempt FROM effects GROUP BY 1, 2, 3 HAVING count(*) > 1"

        const val WRONG_SETTLED = """
            SELECT q.id, q.status, coalesce(e.times, 0)
            FROM (SELECT * FROM whole.job_queue WHERE job_type = 'settled') q
            FULL JOIN (SELECT job_id, count(*) AS times FROM effects WHERE intent = 'SETTLE' GROUP BY job_id) e ON e.job_id = q.id
            WHERE coalesce(e.times, 0) <> CASE WHEN q.status = 'SUCCEEDED' THEN 1 ELSE 0 END
        """

        /**
         * An attempt with an effect ended as its handler intended. Otherwise the ledger must show that it did not end: its lease
         * expired, or the job was canceled meanwhile.
         */
        val WRONG_ENDINGS = """
            SELECT e.job_id, q.job_type, e.run_number, e.attempt, e.intent, a.outcome, a.error_code
            FROM effects e
            JOIN (VALUES ${Intent.entries.joinToString { "('$it', '${it.outcome}')" }}) AS i (intent, outcome) USING (intent)
            LEFT JOIN whole.job_attempts a USING (job_id, run_number, attempt)
            LEFT JOIN whole.job_queue q ON q.id = e.job_id
            WHERE a.outcome::text IS DISTINCT FROM i.outcome
                AND a.error_code IS DISTINCT FROM '$UNKNOWN_EFFECT'
                AND a.outcome IS DISTINCT FROM 'LEASE_EXPIRED'
                AND NOT coalesce(a.outcome = 'INTERRUPTED' AND a.error_code = 'LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED', false)
                AND NOT coalesce(a.outcome = 'CANCELED' AND q.status = 'CANCELED', false)
        """

        /** A machine makes each move once, so the run number determines the step. A machine that succeeded passed all steps. */
        val WRONG_STEPS = """
            SELECT e.job_id, e.run_number, e.tag
            FROM effects e JOIN whole.job_queue q ON q.id = e.job_id
            WHERE q.job_type = 'errand' AND e.tag IS DISTINCT FROM (ARRAY['Fetch', 'Carry', 'Deliver'])[e.run_number]
            UNION ALL
            SELECT q.id, q.run_number, q.status::text FROM whole.job_queue q
            WHERE q.job_type = 'errand' AND (q.status <> 'SUCCEEDED' OR q.run_number <> 3)
        """

        /**
         * Jobs with a single attempt that gave up although their worker could reach the ledger all the time. A process that dies, or
         * is disconnected for longer than its lease, in the moment between a claim and its handler spends the attempt.
         */
        val GIVEN_UP_IN_REACH = """
            SELECT q.id
            FROM whole.job_queue q
            JOIN whole.job_attempts a ON a.job_id = q.id AND a.run_number = q.run_number AND a.attempt = q.attempt
            WHERE q.job_type = 'once' AND q.status = 'DEAD_LETTERED' AND NOT EXISTS (
                SELECT FROM (SELECT fault, at, lead(at) OVER (ORDER BY at) AS ended FROM happened) h
                WHERE h.fault IN (${Fault.entries.filter { it.takesAway }.joinToString { "'$it'" }})
                    AND h.at <= a.finished_at AND coalesce(h.ended, 'infinity') >= a.leased_at
            )
        """

        val WRONG_STATUS = """
            SELECT q.id, q.status, q.status_reason, q.payload ->> 'tag'
            FROM whole.job_queue q
            JOIN (VALUES ${Intent.entries.joinToString { "('$it', '${it.status}')" }}) AS i (ending, status)
                ON i.ending = q.payload ->> 'ending'
            WHERE q.job_type = 'ordinary' AND NOT q.is_step AND q.status::text <> i.status
                AND NOT coalesce(q.status = 'CANCELED' AND q.status_reason = '${ChaosTraffic.CALLED_OFF}', false)
        """

        const val DECISIONS = """
            SELECT r.idempotency_key, s.step_key, s.status
            FROM whole.workflow_runs r JOIN whole.workflow_steps s ON s.workflow_run_id = r.id
            WHERE r.workflow_type = 'decided'
        """

        const val MISSED_INSTANTS = """
            SELECT s.name, i.at, line.outcome, line.reason
            FROM runledger.job_schedules s
            CROSS JOIN LATERAL (
                SELECT max(f.scheduled_for) AS last FROM whole.job_schedule_fires f WHERE f.schedule_id = s.id AND f.outcome = 'FIRED'
            ) fired
            CROSS JOIN LATERAL generate_series(
                s.anchor_at + s.interval_seconds * interval '1 second', fired.last, s.interval_seconds * interval '1 second'
            ) AS i (at)
            LEFT JOIN whole.job_schedule_fires line ON line.schedule_id = s.id AND line.scheduled_for = i.at AND line.cause = 'CLOCK'
            WHERE s.kind <> 'POLL' AND line.outcome IS DISTINCT FROM 'FIRED'
        """

        const val DOUBLED_INSTANTS = """
            SELECT s.name, f.scheduled_for, f.lines, coalesce(j.times, 0) + coalesce(r.times, 0)
            FROM runledger.job_schedules s
            JOIN (
                SELECT schedule_id, scheduled_for, count(*) AS lines FROM whole.job_schedule_fires
                WHERE outcome = 'FIRED' GROUP BY 1, 2
            ) f ON f.schedule_id = s.id
            LEFT JOIN (
                SELECT payload #>> '{_schedule,schedule_id}' AS id, (payload #>> '{_schedule,scheduled_for}')::timestamptz AS at,
                    count(*) AS times
                FROM whole.job_queue WHERE NOT is_step AND payload ? '_schedule' GROUP BY 1, 2
            ) j ON j.id = s.id::text AND j.at = f.scheduled_for
            LEFT JOIN (
                SELECT metadata #>> '{_schedule,schedule_id}' AS id, (metadata #>> '{_schedule,scheduled_for}')::timestamptz AS at,
                    count(*) AS times
                FROM whole.workflow_runs WHERE metadata ? '_schedule' GROUP BY 1, 2
            ) r ON r.id = s.id::text AND r.at = f.scheduled_for
            WHERE s.kind <> 'POLL' AND (f.lines <> 1 OR coalesce(j.times, 0) + coalesce(r.times, 0) <> 1)
        """

        const val WRONG_ITEMS = """
            SELECT i.tag, count(q.id) FROM inbox i
            LEFT JOIN whole.job_queue q ON q.job_type = 'ordinary' AND q.idempotency_key IS NULL AND q.payload ->> 'tag' = i.tag
            GROUP BY i.tag HAVING count(q.id) <> 1
        """
    }
}
