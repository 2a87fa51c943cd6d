package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

class RetryFailedSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun retry(run: UUID, key: String = "again", reason: String = "the bank is back") =
            flow.client.workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, key, reason))

        test("what failed and what followed from it runs again, what succeeded does not") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a)
                val c = work("c", b)
                work("d", c)
                work("alarm", b.onFailure())
                result(c)
            }
            flow.finish("a")
            flow.fail(flow.claim().getValue("b"))
            flow.finish("alarm")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"

            val retried = retry(run)

            retried.stepKeys().shouldContainExactly("b", "c", "d")
            retried.run().isTerminal shouldBe false
            flow.steps(run).shouldContainExactly("a SUCCEEDED", "b ENQUEUED", "c BLOCKED", "d BLOCKED", "alarm SUCCEEDED")
            listOf("b", "c", "d").forEach { flow.finish(it, Json.of("\"$it\"")) }
            flow.status(run) shouldBe "SUCCEEDED"
            flow.ledger.value("SELECT result FROM runledger.workflow_runs WHERE id = '$run'") shouldBe "\"c\""
        }

        test("repeating the request changes nothing, another one under the key is a conflict") {
            val run = flow.start { work("a") }
            flow.fail(flow.claim().getValue("a"))
            retry(run).disposition() shouldBe Disposition.INSERTED

            val again = retry(run)

            again.disposition() shouldBe Disposition.EXISTING
            again.stepKeys().shouldContainExactly("a")
            shouldRefuse(ErrorCode.RECOVERY_CONFLICT) { retry(run, reason = "another reason") }
            flow.claim().size shouldBe 1
        }

        test("the dead letters of steps that are retried are open no more, and their jobs go with the run") {
            val own = flow()
            val client = own.client
            val run = own.start {
                val a = work("a")
                work("b", a.onTerminal())
            }
            val letters = List(2) { round ->
                val dead = own.claim().getValue("a").also(own::fail).lease().jobId()
                client.jobs.openDeadLetters(Scope.everything(), 10).items().map { it.jobId() }.shouldContainExactly(dead)
                if (round == 0) own.finish("b")
                client.workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, "again $round", "the bank is back"))
                client.jobs.openDeadLetters(Scope.everything(), 10).items().shouldBeEmpty()
                dead
            }

            client.metrics.jobs(Scope.everything()).single().deadLettered() shouldBe 0
            client.jobs.counts(Scope.everything())[JobStatus.DEAD_LETTERED] shouldBe 0
            letters.forEach {
                client.jobs.deadLetters(Scope.everything(), it).items().single().errorCode() shouldBe "test.broken"
            }
            own.finish("a")
            own.contradictions().shouldBeEmpty()
            val ended = JobStatus.entries.filter { it.isTerminal }.toSet()
            client.retention.prune(PruneRequest.of(Duration.ZERO, ended, 10)).jobs() shouldBe 0
            val runs = setOf(WorkflowRunStatus.SUCCEEDED)
            client.retention.pruneRuns(PruneRunsRequest.of(Duration.ZERO, runs, 10)).jobs() shouldBe 4
            own.jobs() shouldBe 0
            own.ledger.value("SELECT count(*) FROM runledger.job_dead_letters") shouldBe "0"
            own.ledger.value("SELECT count(*) FROM runledger.job_attempts") shouldBe "0"
        }

        test("it can fail and be retried again, and the story tells every time") {
            val run = flow.start { work("a") }
            flow.fail(flow.claim().getValue("a"))
            retry(run, "first")
            flow.fail(flow.claim().getValue("a"))
            retry(run, "second")
            flow.finish("a")

            flow.ledger.rows(
                "SELECT event_type FROM runledger.workflow_step_events WHERE workflow_run_id = '$run' ORDER BY id",
            ).shouldContainExactly(
                "CREATED", "RELEASED", "STARTED", "FAILED", "RESET", "RELEASED", "STARTED", "FAILED", "RESET", "RELEASED",
                "STARTED", "SUCCEEDED",
            )
        }

        test("a run that lives, succeeded or was canceled has nothing to retry") {
            val live = flow.start { gate("g") }
            val succeeded = flow.start { work("a") }
            flow.finish("a")
            val canceled = flow.start { gate("g") }
            flow.client.workflows.cancel(Scope.everything(), canceled)

            listOf(live, succeeded, canceled).forEach { run -> shouldRefuse(ErrorCode.RETRY_NOT_POSSIBLE) { retry(run) } }
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { retry(UUID.randomUUID()) }
        }

        test("a canceled handler that may still be running is waited for") {
            val run = flow.start { work("a") }
            val job = flow.claim().getValue("a").lease().jobId()
            flow.client.jobs.cancel(Scope.everything(), job)
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"

            shouldRefuse(ErrorCode.RELEASE_CONFLICT) { retry(run) }
            flow.ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '$job'")

            retry(run).stepKeys().shouldContainExactly("a")
        }

        fun Flow.goOn(job: ClaimedJob, payload: String) {
            client.leases.report(ProgressReport(job.lease(), Progress.of(3, 10), null, Payload.of("page 3")))
            settle(job, Verdict.Continue(Payload.json(payload), null, Duration.ZERO))
        }

        fun where(job: ClaimedJob) = listOf(
            job.payload().text(),
            job.checkpoint()?.text(),
            flow.ledger.value("SELECT progress_done FROM runledger.job_queue WHERE id = '${job.lease().jobId()}'"),
        )

        test("a step that continued goes on where it had come to, every time it is retried") {
            val run = flow.start {
                work("a") {
                    mayContinue()
                    payload(mapOf("n" to 1))
                }
            }
            flow.goOn(flow.claim().getValue("a"), """{"n": 2}""")
            flow.fail(flow.claim().getValue("a"))

            retry(run, "first")
            val second = flow.claim().getValue("a")
            where(second).shouldContainExactly("""{"n": 2}""", "\"page 3\"", "3")
            flow.goOn(second, """{"n": 3}""")
            flow.fail(flow.claim().getValue("a"))
            retry(run, "second")

            where(flow.claim().getValue("a")).shouldContainExactly("""{"n": 3}""", "\"page 3\"", "3")
            flow.step(run, "a", "payload") shouldBe """{"n": 1}"""
        }

        test("a step that continued after steps that run again too begins anew, and so does one that may not continue") {
            val run = flow.start {
                val a = work("a") { payload(mapOf("n" to 1)) }
                work("b", a.onTerminal()) { mayContinue() }
            }
            val a = flow.claim().getValue("a")
            flow.client.leases.report(ProgressReport(a.lease(), Progress.NONE, null, Payload.of("page 3")))
            flow.fail(a)
            flow.goOn(flow.claim().getValue("b"), """{"n": 2}""")
            flow.fail(flow.claim().getValue("b"))

            retry(run).stepKeys().shouldContainExactly("a", "b")

            val again = flow.claim().getValue("a")
            again.checkpoint() shouldBe null
            flow.succeed(again)
            flow.claim().getValue("b").payload().text() shouldBe "{}"
        }

        test("a step that is edited after its retry goes on with what it was given") {
            val run = flow.start { work("a") { mayContinue() } }
            flow.goOn(flow.claim().getValue("a"), """{"n": 2}""")
            flow.fail(flow.claim().getValue("a"))
            retry(run)

            flow.client.workflows.editPayload(Scope.everything(), run, "a", Payload.json("""{"n": 7}"""), "by hand")

            flow.claim().getValue("a").payload().text() shouldBe """{"n": 7}"""
        }

        test("the run takes its active key back, unless another run holds it") {
            fun active() = workflow {
                work("a")
                activeKey("k")
            }
            val run = flow.client.workflows.enqueueUnlessActive(active()).runId()
            flow.fail(flow.claim().getValue("a"))
            val holder = flow.client.workflows.enqueueUnlessActive(active()).runId()

            shouldRefuse(ErrorCode.RECOVERY_ACTIVE) { retry(run) }
            flow.client.workflows.cancel(Scope.everything(), holder)
            retry(run)

            flow.client.workflows.enqueueUnlessActive(active()).runId() shouldBe run
        }
    })
