package io.runledger.samples

import io.runledger.dsl.jobType
import io.runledger.dsl.parameter
import io.runledger.dsl.workflowType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.util.UUID

enum class Region { NORTH, SOUTH }

data class Collect(val region: Region, val days: Int)

val collectSales = jobType<Collect>("regional.collect")
val sendReport = jobType<String>("regional.send")

val region = parameter<Region>("region")
val days = parameter("days", default = 7).mustBe("1 to 90") { it in 1..90 }
val recipient = parameter("recipient", default = "sales@example.com").mustBe("an address") { '@' in it }

/** A workflow with named parameters, started from code, from a form or from a schedule. */
val regionalReport = workflowType("regional.report", region, days, recipient) { values ->
    metadata(mapOf("team" to "sales"))
    val collected = job("collect") { runs(collectSales, Collect(values.get(region), values.get(days))) }
    job("send") {
        runs(sendReport, values.get(recipient))
        after(collected)
    }
}

class RegionalReports(private val client: RunledgerClient) {
    /** The compiler checks names and types. */
    fun forNorth(): UUID = client.workflows.enqueue(regionalReport.request(region.of(Region.NORTH), days.of(30))).runId()

    /** Values from a form. If they are not valid, the error lists every mistake. */
    fun fromForm(fields: Map<String, String>): UUID = client.workflows.enqueue(regionalReport.request(fields)).runId()

    /** The parameters of a run, for later inspection. */
    fun daysOf(run: UUID): Int = regionalReport.parametersOf(client.workflows.get(Scope.global(), run), client.codec).get(days)

    /** Every Monday at six with these values. */
    fun weekly(of: Region) {
        val schedule = ScheduleRequest.builder("report-$of", regionalReport.request(region.of(of))).cron("0 6 * * 1").build()
        client.schedules.sync(Scope.global(), listOf(schedule))
    }
}
