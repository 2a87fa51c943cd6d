package io.runledger.benchmarks.workload.flow

import io.runledger.benchmarks.BenchDatabase

internal typealias Report = (name: String, rounds: List<Double>, unit: String) -> Unit

internal fun millisOf(work: () -> Unit): Double {
    val begin = System.nanoTime()
    work()
    return (System.nanoTime() - begin) / 1e6
}

internal fun BenchDatabase.text(sql: String): String = connect().use { connection ->
    connection.createStatement().use { statement ->
        statement.executeQuery(sql).use { rows ->
            rows.next()
            rows.getString(1)
        }
    }
}
