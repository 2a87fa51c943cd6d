package io.runledger.samples

import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.Schedules
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Instant

data class ReportSales(val region: String)

val reportSales = jobType<ReportSales>("reports.sales")

/** Every night at 2:30, Berlin time. After an outage it fires once for all missed nights. Runs do not overlap. */
fun nightlyReport(region: String): ScheduleRequest = ScheduleRequest.builder("sales-$region", reportSales, ReportSales(region))
    .cron("30 2 * * *")
    .zone("Europe/Berlin")
    .fireOnceForMisfires()
    .skipOverlaps()
    .build()

/** Every process calls this when it starts. The schedule is stored once, and any worker fires it. */
fun scheduleReports(client: RunledgerClient, regions: List<String>) {
    client.definitions.declare(reportSales)
    client.schedules.sync(Scope.global(), regions.map(::nightlyReport))
}

/** The next fires. Does not access the database, so it can be used in a form or a test. */
fun nextNights(count: Int, after: Instant): List<Instant> = Schedules.preview(nightlyReport("any"), after, count)

/** The schedule in words: "at 02:30 every day (Europe/Berlin)". */
fun inWords(client: RunledgerClient, region: String): String =
    Schedules.describe(client.schedules.get(Scope.global(), "sales-$region"))
