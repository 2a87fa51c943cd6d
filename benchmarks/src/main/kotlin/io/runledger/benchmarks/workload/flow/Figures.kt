package io.runledger.benchmarks.workload.flow

import io.runledger.benchmarks.BenchDatabase

internal typealias Report = (name: String, value: Double, unit: String) -> Unit

internal fun List<Double>.median(): Double = sorted().let { (it[(size - 1) / 2] + it[size / 2]) / 2 }

internal fun median(times: Int, measure: () -> Double): Double = List(times) { measure() }.median()

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
