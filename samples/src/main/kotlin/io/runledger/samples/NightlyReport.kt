package io.runledger.samples

import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.Schedules
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.state.OverlapPolicy
import io.runledger.model.state.Scope
import java.time.Instant

data class ReportSales(val region: String)

val reportSales = jobType<ReportSales>("reports.sales")

/** Every night at half past two, Berlin time: once after an outage however many nights it took, and not beside the last. */
fun nightlyReport(region: String): ScheduleRequest = ScheduleRequest.builder("sales-$region", reportSales, ReportSales(region))
    .cron("30 2 * * *")
    .zone("Europe/Berlin")
    .fireOnceForMisfires()
    .overlap(OverlapPolicy.SKIP)
    .build()

/** Every process says it when it starts; the schedule is there once, and any worker fires it. */
fun scheduleReports(client: RunledgerClient, regions: List<String>) {
    client.definitions.declare(reportSales)
    client.schedules.sync(regions.map(::nightlyReport), Scope.global())
}

/** When it would fire; asks no database, so it suits a form or a test. */
fun nextNights(count: Int, after: Instant): List<Instant> = Schedules.preview(nightlyReport("any"), after, count)
