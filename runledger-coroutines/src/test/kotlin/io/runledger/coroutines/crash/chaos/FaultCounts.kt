package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.crash.count

/**
 * The circumstances of the faults: how often each happened, how many jobs were running at that moment, and how many
 * attempts with an effect were lost before the next fault, so that their jobs ran again.
 */
internal class FaultCounts(private val ledger: TestLedger) {
    private class Count(var times: Int = 0, var jobs: Long = 0, var steps: Long = 0)

    private val counts = sortedMapOf<Fault, Count>()

    fun count(fault: Fault) {
        val count = counts.getOrPut(fault) { Count() }
        count.times++
        count.jobs += ledger.count("$LEASED AND NOT is_step")
        count.steps += ledger.count("$LEASED AND is_step")
        ledger.run("INSERT INTO happened (fault) VALUES ('$fault')")
    }

    /** A table in Markdown. The final comparison counts lost, doubled and contradictory rows, and accepts none. */
    fun report(): String = buildString {
        val again = ledger.rows(LOST_AFTER_EFFECT).associate { row -> row.split('|').let { it[0] to it[1] } }
        appendLine(
            "| fault | how it is made | survived | jobs in hand | steps in hand | run again | lost | doubled | contradictions |",
        )
        appendLine("|---|---|---:|---:|---:|---:|---:|---:|---:|")
        counts.forEach { (fault, count) ->
            val figures = listOf(count.times, count.jobs, count.steps, again[fault.name] ?: 0, 0, 0, 0)
            appendLine("| ${fault.words} | ${fault.how} | ${figures.joinToString(" | ")} |")
        }
    }

    private companion object {
        const val LEASED = "runledger.job_queue WHERE status = 'LEASED'"

        const val LOST_AFTER_EFFECT = """
            SELECT last.fault, count(*)
            FROM effects e
            JOIN whole.job_attempts a USING (job_id, run_number, attempt)
            CROSS JOIN LATERAL (SELECT h.fault FROM happened h WHERE h.at <= a.finished_at ORDER BY h.at DESC LIMIT 1) last
            WHERE a.outcome = 'LEASE_EXPIRED' OR a.outcome = 'INTERRUPTED' AND e.intent <> 'SNOOZE'
            GROUP BY last.fault
        """
    }
}
