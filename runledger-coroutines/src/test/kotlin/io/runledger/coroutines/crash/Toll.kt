package io.runledger.coroutines.crash

import io.runledger.coroutines.TestLedger

/** What was going on when things failed: how often each fault came, and how many jobs were being worked on just then. */
internal class Toll {
    private class Count(var times: Int = 0, var jobs: Long = 0, var steps: Long = 0)

    private val counts = sortedMapOf<Fault, Count>()

    fun count(fault: Fault, ledger: TestLedger) {
        val count = counts.getOrPut(fault) { Count() }
        count.times++
        count.jobs += ledger.count("$LEASED AND NOT is_step")
        count.steps += ledger.count("$LEASED AND is_step")
    }

    override fun toString(): String = buildString {
        appendLine("| fault | how it was made | times | jobs in hand | steps in hand |")
        appendLine("|---|---|---:|---:|---:|")
        counts.forEach { (fault, count) ->
            appendLine("| ${fault.words} | ${fault.how} | ${count.times} | ${count.jobs} | ${count.steps} |")
        }
    }

    private companion object {
        const val LEASED = "runledger.job_queue WHERE status = 'LEASED'"
    }
}
