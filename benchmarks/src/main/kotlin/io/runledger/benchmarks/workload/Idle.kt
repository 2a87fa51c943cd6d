package io.runledger.benchmarks.workload

import io.runledger.benchmarks.Stand
import io.runledger.benchmarks.number
import io.runledger.benchmarks.worker.WorkerProcess
import io.runledger.benchmarks.worker.jvm

/** The cost of an idle worker. All contenders are idle at the same time, each in its own database. */
class Idle {
    class Cost(val transactions: Long, val statements: Long, val residentMemory: Long)

    fun measure(stands: List<Stand>): Map<Stand, Cost> {
        stands.forEach { it.worker.start() }
        Thread.sleep(SETTLING_MILLIS)
        val before = stands.associateWith(::transactions)
        stands.forEach { it.database.run("SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))") }
        Thread.sleep(MINUTE_MILLIS)
        val costs = stands.associateWith { stand ->
            val statements = statements(stand)
            Cost(transactions(stand) - before.getValue(stand) - OWN_TRANSACTIONS, statements, stand.worker.residentMemory())
        }
        stands.forEach { it.worker.stop() }
        return costs
    }

    /** Memory of a JVM, started as the workers are, that waits for input and does nothing else. */
    fun bareJvmMemory(): Long = WorkerProcess(jvm("io.runledger.benchmarks.worker.BareKt")).use {
        it.start()
        Thread.sleep(BARE_MILLIS)
        it.residentMemory()
    }

    private fun transactions(stand: Stand): Long = stand.database.connect().use {
        it.number("SELECT count(*) FROM (SELECT pg_stat_clear_snapshot()) AS cleared")
        it.number("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")
    }

    private fun statements(stand: Stand): Long = stand.database.number(
        "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) " +
            "AND query !~* 'pg_stat_statements'",
    )

    private companion object {
        const val SETTLING_MILLIS = 40_000L
        const val MINUTE_MILLIS = 60_000L
        const val BARE_MILLIS = 3_000L

        /** The reset, the count of statements, and the two statements of the second reading. */
        const val OWN_TRANSACTIONS = 3L
    }
}
