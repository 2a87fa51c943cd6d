package io.runledger.opentelemetry

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.model.handler.JobOutcome
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.test.TestLedger
import io.runledger.test.until
import kotlinx.coroutines.yield
import java.io.File
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.milliseconds

private val bill = jobType<String>("orders.bill") { retryPolicy { fixed(1.milliseconds) } }
private val pick = jobType<String>("orders.pick")
private val ship = jobType<String>("orders.ship")
private val mail = jobType<String>("mail.send")
private val report = jobType<Report>("reports.daily")

/** The payload of a job of a schedule is an object. */
data class Report(val organization: String)

class OrderTraceSpec :
    FunSpec({
        test("the trace of an order goes through retries, a gate, three services and a schedule") {
            val ledger = autoClose(TestLedger.fresh())
            val exporter = InMemorySpanExporter.create()
            val clock = TickingClock()
            val shop = autoClose(Service("shop", ledger, exporter, clock))
            val warehouse = autoClose(Service("warehouse", ledger, exporter, clock))
            val desk = autoClose(Service("desk", ledger, exporter, clock))
            ledger.client.definitions.sync(listOf(bill, pick, ship, mail, report))
            fun succeeded(type: String) = ledger.dataSource.connection.use { connection ->
                connection.createStatement().executeQuery(
                    "SELECT count(*) FROM runledger.job_queue WHERE job_type = '$type' AND status = 'SUCCEEDED'",
                ).use { it.next() && it.getInt(1) == 1 }
            }

            val atShop = shop.start(
                handlers {
                    on(bill) { job ->
                        val isFirst = job.attempt() == 1
                        if (isFirst) JobOutcome.retry("bank.busy", "Card 4111: not now.") else JobOutcome.succeeded()
                    }
                    async(mail) { CompletableFuture.completedFuture(JobOutcome.succeeded()) }
                },
            )
            val atWarehouse = warehouse.start(
                handlers {
                    on(pick) {
                        yield()
                        JobOutcome.succeeded()
                    }
                    blocking(ship) { job ->
                        warehouse.client.jobs.enqueue(mail, job.payload())
                        JobOutcome.succeeded()
                    }
                    on(report) { JobOutcome.succeeded() }
                },
                firesSchedules = true,
            )
            val run: UUID = shop.serving("POST /orders") {
                shop.client.workflows.enqueue(
                    workflow("orders.fulfil") {
                        val billed = job("bill") { runs(bill, "A-1") }
                        val approved = externalGate("approval") { after(billed) }
                        val picked = job("pick") {
                            runs(pick, "A-1")
                            after(approved)
                        }
                        job("ship") {
                            runs(ship, "A-1")
                            after(picked)
                        }
                    },
                ).runId()
            }
            until("the gate is open") { ledger.client.workflows.openGates(Scope.everything()).items().isNotEmpty() }
            desk.serving("PUT /approvals") {
                desk.client.workflows.completeGate(Scope.everything(), GateCompletion.succeeded(run, "approval"))
            }
            until("the mail is sent") { succeeded("mail.send") }
            warehouse.serving("start") {
                warehouse.client.schedules.upsert(
                    ScheduleRequest.builder("daily", report, Report("all")).every(Duration.ofDays(1))
                        .firstFireAt(java.time.Instant.now().minusSeconds(1)).build(),
                )
            }
            until("the report is made") { succeeded("reports.daily") }
            listOf(atShop, atWarehouse).forEach { it.close() }

            val text = SpanTree(exporter.finishedSpanItems).text()
            val page = File(System.getProperty("runledger.root"), "docs/tracing.md").readText()
            page.substringAfter("```text\n").substringBefore("\n```") shouldBe text
            exporter.finishedSpanItems.none { span -> "$span".contains("4111") } shouldBe true
        }
    })
