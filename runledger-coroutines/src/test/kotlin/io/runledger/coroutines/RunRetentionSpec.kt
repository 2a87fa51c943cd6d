package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

private val crawl = JobType.of("crawl", String::class.java)

class RunRetentionSpec :
    FunSpec({
        fun TestLedger.start(): UUID {
            val workflow = WorkflowRequest.builder("site")
            workflow.job("crawl") { it.payload("example.org") }
            return client.workflows.enqueue(workflow.build()).runId()
        }

        fun TestLedger.runs() = rows("SELECT id FROM runledger.workflow_runs ORDER BY id")

        test("a worker forgets ended runs of the statuses it was told to, with their jobs, and no others") {
            val ledger = freshLedger()
            ledger.define(crawl)
            val canceled = ledger.start()
            ledger.client.workflows.cancel(Scope.everything(), canceled)
            ledger.start()
            val config = quick {
                runRetention(WorkflowRunStatus.SUCCEEDED, Duration.ZERO).janitorInterval(Duration.ofMillis(20))
            }

            working(ledger.client, handlers { on(crawl) { } }, config) {
                until("the run that succeeded is forgotten") { ledger.runs() == listOf("$canceled") }
            }

            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'") shouldBe "0"
        }

        test("what the service's own tables refer to stays, and everything else is forgotten all the same") {
            val ledger = freshLedger()
            ledger.define(crawl)
            val jobs = ledger.client.jobs.enqueueAll(List(5) { JobRequest.of(crawl, "example.org") }).map { it.id() }
            val runs = List(3) { ledger.start() }
            ledger.run(
                "CREATE TABLE orders (job uuid REFERENCES runledger.job_queue (id), " +
                    "run uuid REFERENCES runledger.workflow_runs (id))",
            )
            ledger.run("INSERT INTO orders VALUES ('${jobs[2]}', '${runs[1]}')")
            val config = quick {
                retention(JobStatus.SUCCEEDED, Duration.ZERO).runRetention(WorkflowRunStatus.SUCCEEDED, Duration.ZERO)
                    .janitorInterval(Duration.ofMillis(20))
            }

            working(ledger.client, handlers { on(crawl) { } }, config) {
                until("only what is referred to is left") {
                    ledger.runs() == listOf("${runs[1]}") &&
                        ledger.rows("SELECT id FROM runledger.job_queue WHERE NOT is_step") == listOf("${jobs[2]}")
                }
            }

            ledger.client.verify().contradictions().size shouldBe 0
        }
    })
