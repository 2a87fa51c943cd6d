package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.leases
import io.runledger.exposed.refuse
import io.runledger.exposed.refuseNoMore
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStage
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.json.Payload
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.ReportedProgress
import io.runledger.model.ledger.Scope
import java.util.UUID

class ReportProgressSpec :
    FunSpec({
        test("counts, stage and checkpoint are written; what is not given stays") {
            val bench = bench()
            val lease = bench.leased()
            val id = lease.jobId()
            val expiry = bench.row(id, "lease_expires_at")

            val page = Payload.of(mapOf("page" to 3))
            bench.client.leases.report(ProgressReport(lease, Progress.of(1, 10), JobStage.RUNNING, page))
            bench.client.leases.report(ProgressReport.of(lease, Progress(5, null)))

            bench.row(id, "stage, progress_done, progress_total, progress_pct, checkpoint, lease_expires_at") shouldBe
                """running|5|10|50.00|{"page": 3}|$expiry"""
            bench.journal(id, "event_type, attempt, stage, progress_done, progress_total") shouldContainExactly
                listOf("PROGRESS|1||1|10", "PROGRESS|1||5|")
        }

        test("the first running mark is the start; later stages are told each time") {
            val bench = bench()
            val lease = bench.leased()
            val id = lease.jobId()

            bench.client.leases.report(ProgressReport.running(lease))
            val started = bench.row(id, "execution_started_persisted_at")
            bench.client.leases.report(ProgressReport.running(lease))

            started shouldNotBe ""
            bench.row(id, "execution_started_persisted_at") shouldBe started
            bench.story(id) shouldContainExactly listOf("ENQUEUED", "LEASED", "STAGE_CHANGED", "STAGE_CHANGED")
        }

        test("a report is written with its events or not at all") {
            val bench = bench()
            val lease = bench.leased()
            bench.ledger.refuse("INSERT", "job_journal", lease.jobId())
            val report = ProgressReport(lease, Progress.of(1, 10), JobStage.RUNNING, Payload.of(7))

            shouldRefuse(ErrorCode.DB_RULE) { bench.client.leases.report(report) }

            val columns = "stage, progress_done, progress_total, checkpoint, execution_started_persisted_at"
            bench.row(lease.jobId(), columns) shouldBe "queued||||"
            bench.ledger.refuseNoMore("job_journal")
            bench.client.leases.report(report)
            bench.row(lease.jobId(), "stage, progress_done, checkpoint") shouldBe "running|1|7"
        }

        test("a checkpoint leaves no event, and JSON null is one") {
            val bench = bench()
            val lease = bench.leased()

            bench.client.leases.report(ProgressReport.checkpoint(lease, null))
            bench.client.leases.report(ProgressReport(lease, Progress.NONE, null, null))

            bench.row(lease.jobId(), "checkpoint") shouldBe "null"
            bench.journal(lease.jobId()).shouldBeEmpty()
        }

        test("counts that make no sense with the stored ones are refused and nothing of the report is written") {
            val bench = bench()
            val lease = bench.leased()
            bench.client.leases.report(ProgressReport.of(lease, Progress.of(2, 3)))

            shouldRefuse(ErrorCode.INVALID_PROGRESS) {
                bench.client.leases.report(ProgressReport(lease, Progress(4, null), JobStage.RUNNING, Payload.of(1)))
            }

            bench.row(lease.jobId(), "progress_done, stage, checkpoint, execution_started_persisted_at") shouldBe "2|queued||"
            bench.journal(lease.jobId()).size shouldBe 1
        }

        test("a lease that is expired, canceled, ended or another's cannot report") {
            val bench = bench()
            val expired = bench.leased().also { bench.expire(it.jobId()) }
            val canceled = bench.leased().also { bench.client.jobs.cancel(Scope.everything(), it.jobId()) }
            val ended = bench.leased().also(bench::succeed)
            val another = bench.leased().let { Lease(it.jobId(), 1, 1, "worker", UUID.randomUUID()) }

            listOf(expired, canceled, ended, another).forEach { lease ->
                shouldRefuse(ErrorCode.JOB_LEASE_LOST) { bench.client.leases.report(ProgressReport.running(lease)) }
            }
            val started = "SELECT count(*) FROM runledger.job_queue WHERE execution_started_persisted_at IS NOT NULL"
            bench.ledger.value(started) shouldBe "0"
        }

        test("many reports are one call, and each gets its own answer") {
            val bench = bench()
            val good = bench.leased()
            val bad = bench.leased().also { bench.client.leases.report(ProgressReport.of(it, Progress(null, 1))) }
            val lost = bench.leased().also(bench::succeed)

            bench.client.leases.reportAll(listOf(lost, good, bad).map { ProgressReport.of(it, Progress(2, null)) })
                .map { it.result() } shouldContainExactly listOf(
                ReportedProgress.Result.LOST,
                ReportedProgress.Result.WRITTEN,
                ReportedProgress.Result.INVALID,
            )
        }

        test("completed is not a stage to report, and a lease reports once per call") {
            val bench = bench()
            val lease = bench.leased()

            shouldRefuse(ErrorCode.INVALID_STAGE) { ProgressReport(lease, Progress.NONE, JobStage.COMPLETED, null) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.leases.reportAll(List(2) { ProgressReport.running(lease) }) }
        }
    })
