package io.runledger.benchmarks

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.benchmarks.report.Goals
import io.runledger.benchmarks.report.Report

class ReportSpec :
    FunSpec({
        val report = Report().apply {
            add("drain/runledger", listOf(1_400.0, 1_900.0, 1_500.0), "jobs/s")
            add("drain/floor-ledger", 1_000.0, "jobs/s")
            add("drain/graphile-worker", 3_000.0, "jobs/s")
            add("workflow-enqueue-600", 3.5, "x-floor")
        }

        test("figures are lines for programs, with their spread and the number of rounds") {
            report.resultLines().lines().first() shouldBe "RESULT drain/runledger 1500 jobs/s 1400 1900 3"
        }

        test("a row per workload, a column per contender, a dash for what was not measured") {
            report.table(listOf("runledger", "floor-ledger", "quartz")).trim().lines().last() shouldBe
                "| drain | jobs/s | 1500 (1400-1900) | 1000 | - |"
        }

        test("goals are met, missed, or left out when a figure is missing") {
            val goals = Goals(report).table()

            goals shouldContain "| drain, of our tables in plain JDBC | ≥ 0.750 | 1.50 | met |"
            goals shouldContain "| drain, of graphile-worker | ≥ 1.00 | 0.500 | **missed** |"
            goals shouldContain "| enqueue of a graph of 600, of plain INSERTs | ≤ 3.00 | 3.50 | **missed** |"
            goals shouldNotContain "Quartz"
        }
    })
