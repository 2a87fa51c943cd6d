package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.work
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID
import kotlin.random.Random

/** Rows that a service's own tables keep from being deleted. */
class PruneRefusalsSpec :
    FunSpec({
        val flow = flow()
        val client = flow.client
        val ledger = flow.ledger
        val allJobs = PruneRequest.of(Duration.ZERO, JobStatus.entries.filter { it.isTerminal }.toSet(), 100)
        val allRuns = PruneRunsRequest.of(Duration.ZERO, WorkflowRunStatus.entries.filter { it.isTerminal }.toSet(), 100)

        fun endedJobs(count: Int): List<UUID> {
            val request = JobRequest.builder("work", Json.EMPTY_OBJECT).build()
            val ids = client.jobs.enqueueAll(List(count) { request }).map { it.id() }
            client.jobs.cancelAll(Scope.everything(), ids)
            return ids
        }

        fun endedRuns(count: Int): List<UUID> = List(count) { flow.start { work("a") } }.onEach {
            client.workflows.cancel(Scope.everything(), it)
        }

        fun referTo(ids: List<UUID>) = ids.forEach { ledger.run("INSERT INTO orders VALUES ('$it')") }

        fun left(table: String) = ledger.rows("SELECT id FROM runledger.$table ORDER BY id").map(UUID::fromString)

        fun host(table: String, rule: String = "") =
            ledger.run("CREATE TABLE orders (ref uuid REFERENCES runledger.$table (id) $rule)")

        beforeTest {
            ledger.run("DROP TABLE IF EXISTS orders", "DELETE FROM runledger.workflow_runs", "DELETE FROM runledger.job_queue")
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        listOf("", "DEFERRABLE INITIALLY DEFERRED").forEach { rule ->
            test("a job that the service refers to stays, and the others go $rule") {
                host("job_queue", rule)
                val jobs = endedJobs(20)
                referTo(listOf(jobs[7]))

                val report = client.retention.prune(allJobs)

                report.jobs() shouldBe 19
                report.refused().single().id() shouldBe jobs[7]
                report.refused().single().refusal().code() shouldBe ErrorCode.DB_STILL_REFERENCED
                left("job_queue").shouldContainExactly(jobs[7])
            }

            test("a run that the service refers to stays with its steps and jobs, and the others go $rule") {
                host("workflow_runs", rule)
                val runs = endedRuns(10)
                referTo(listOf(runs[4]))

                val report = client.retention.pruneRuns(allRuns)

                report.runs() shouldBe 9
                report.refused().map { it.id() }.shouldContainExactly(runs[4])
                left("workflow_runs").shouldContainExactly(runs[4])
            }
        }

        test("a run with a job that the service refers to stays, and the others go") {
            host("job_queue")
            val runs = endedRuns(10)
            val job = ledger.value("SELECT job_id FROM runledger.workflow_steps WHERE workflow_run_id = '${runs[9]}'")
            referTo(listOf(UUID.fromString(job)))

            val report = client.retention.pruneRuns(allRuns)

            report.runs() shouldBe 9
            report.refused().map { it.id() }.shouldContainExactly(runs[9])
            left("workflow_runs").shouldContainExactly(runs[9])
        }

        test("whichever jobs cannot go, page by page all others do, and none is looked at twice") {
            host("job_queue")
            val random = Random(2207)
            repeat(10) {
                val jobs = endedJobs(random.nextInt(1, 60))
                val kept = jobs.filter { random.nextInt(6) == 0 }.toSet()
                referTo(kept.toList())
                val limit = random.nextInt(1, 20)
                var request = PruneRequest.of(Duration.ZERO, setOf(JobStatus.CANCELED), limit)

                var gone = 0
                val refused = mutableListOf<UUID>()
                while (true) {
                    val report = client.retention.prune(request)
                    gone += report.jobs()
                    refused += report.refused().map { it.id() }
                    request = request.after(report.next() ?: break)
                }

                gone shouldBe jobs.size - kept.size
                left("job_queue").toSet() shouldBe kept
                refused shouldContainExactlyInAnyOrder kept
                ledger.run("DELETE FROM orders", "DELETE FROM runledger.job_queue")
            }
        }
    })
