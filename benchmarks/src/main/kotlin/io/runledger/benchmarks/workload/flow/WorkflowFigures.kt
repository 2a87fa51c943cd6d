package io.runledger.benchmarks.workload.flow

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.Server
import io.runledger.benchmarks.report.Statements

/**
 * The cost of workflows: the start of a run compared with plain inserts of the same rows, and its execution compared with a drain
 * of jobs that belong to no run. Worker and client share this process.
 */
class WorkflowFigures(private val server: Server, private val isProfiled: Boolean) {
    fun measure(isFull: Boolean, report: (name: String, rounds: List<Double>, unit: String) -> Unit) {
        inFreshDatabase { EnqueueFigures(it, rounds = if (isFull) 40 else 6).measure(report) }
        inFreshDatabase { RunFigures(it, rounds = if (isFull) 8 else 3).measure(report) }
    }

    private fun inFreshDatabase(measure: (BenchDatabase) -> Unit) {
        val database = server.freshDatabase()
        try {
            database.run("CREATE EXTENSION pg_stat_statements")
            measure(database)
            if (isProfiled) System.err.println(Statements(database).text())
        } finally {
            server.drop(database)
        }
    }
}
