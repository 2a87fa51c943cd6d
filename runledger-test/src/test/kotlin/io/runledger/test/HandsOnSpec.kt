package io.runledger.test

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.flow.Rate
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CountDownLatch

private val greet = JobType.builder("greet", String::class.java).retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(10))).build()
private val ping = JobType.json("ping")
private val other = JobType.of("other", String::class.java)

class HandsOnSpec :
    FunSpec({
        val handlers = handlers { on(greet) { job -> "Hello, ${job.payload()}!" } }

        fun TestLedger.status(job: UUID) = client.jobs.get(Scope.global(), job).status()

        fun ledger() = TestLedger.fresh().also {
            autoClose(it)
            it.client.definitions.sync(listOf(greet, other))
        }

        test("what is due is done when the call returns, and what is not ours or not due stays") {
            val ledger = ledger()
            val ours = ledger.client.jobs.enqueue(greet, "Ada").id()
            val theirs = ledger.client.jobs.enqueue(other, "Bob").id()
            val later =
                ledger.client.jobs.enqueue(JobRequest.builder(greet, "Cleo").delay(Duration.ofHours(1)).build()).id()

            ledger.work(handlers).finished shouldBe 1

            ledger.client.jobs.get(Scope.global(), ours).output()!!.text() shouldBe "\"Hello, Ada!\""
            ledger.status(theirs) shouldBe JobStatus.PENDING
            ledger.status(later) shouldBe JobStatus.PENDING
        }

        test("a retry comes when its time has passed, and not before") {
            val ledger = ledger()
            val job = ledger.client.jobs.enqueue(greet, "Ada").id()
            val failing = handlers { on(greet) { if (it.attempt() == 1) error("not today") else JobOutcome.succeeded() } }

            ledger.work(failing)
            ledger.status(job) shouldBe JobStatus.PENDING
            ledger.advance(Duration.ofMinutes(9))
            ledger.work(failing)
            ledger.status(job) shouldBe JobStatus.PENDING
            ledger.advance(Duration.ofMinutes(2))
            ledger.work(failing)

            ledger.status(job) shouldBe JobStatus.SUCCEEDED
        }

        test("the job of a worker that vanished is taken over when its lease and the wait of its policy have passed") {
            val ledger = ledger()
            val job = ledger.client.jobs.enqueue(greet, "Ada").id()
            WorkerLedger.of(ledger.client).leases.claim(ClaimRequest.of(listOf("greet"), "vanished", Duration.ofMinutes(1), 1))

            ledger.advance(Duration.ofMinutes(2))
            ledger.work(handlers)
            ledger.status(job) shouldBe JobStatus.PENDING
            ledger.advance(Duration.ofMinutes(11))
            ledger.work(handlers)

            ledger.status(job) shouldBe JobStatus.SUCCEEDED
        }

        test("a workflow goes on until a gate, and past it when its time is up") {
            val ledger = ledger()
            val workflow = WorkflowRequest.builder("greeting")
            val first = workflow.job("first", greet, "Ada")
            val gate = workflow.externalGate("gate") { it.after(first).expiresAfter(Duration.ofDays(3)) }
            workflow.job("second") { it.runs(greet, "Bob").after(gate.onTerminal()) }
            val run = ledger.client.workflows.enqueue(workflow.build()).runId()

            ledger.work(handlers)
            ledger.client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.WAITING_FOR_EXTERNAL
            ledger.advance(Duration.ofDays(4))
            ledger.work(handlers)

            ledger.client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
        }

        test("a paused run is left alone until it is resumed") {
            val ledger = ledger()
            val workflow = WorkflowRequest.builder("greeting").apply { job("only", greet, "Ada") }
            val run = ledger.client.workflows.enqueue(workflow.build()).runId()
            ledger.client.workflows.pause(Scope.global(), run)

            ledger.work(handlers).finished shouldBe 0
            ledger.client.workflows.resume(Scope.global(), run)
            ledger.work(handlers).finished shouldBe 1

            ledger.client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.SUCCEEDED
        }

        test("jobs of a paused queue or limit are left alone until it is resumed") {
            val ledger = ledger()
            val push = JobType.builder("push", String::class.java).limit("api") { it.permits(0) }.queue("crm").build()
            ledger.client.definitions.declare(push)
            ledger.client.jobs.enqueue(push, "Ada")
            val pushes = handlers { on(push) { } }

            ledger.work(pushes).finished shouldBe 0
            ledger.client.queues.pause("crm")
            ledger.client.limits.changePermits("api", 1)
            ledger.work(pushes).finished shouldBe 0
            ledger.client.queues.resume("crm")

            ledger.work(pushes).finished shouldBe 1
        }

        test("a spent rate allows the next jobs when its time has come") {
            val ledger = ledger()
            val push = JobType.builder("push", String::class.java)
                .limit("api") { it.rate(Rate.of(1, Duration.ofHours(1)).withBurst(0)) }.build()
            ledger.client.definitions.declare(push)
            val pushes = handlers { on(push) { } }
            ledger.client.jobs.enqueue(push, "Ada")
            ledger.work(pushes).finished shouldBe 1

            ledger.advance(Duration.ofHours(1))
            ledger.client.jobs.enqueue(push, "Bob")

            ledger.work(pushes).finished shouldBe 1
        }

        test("jobs behind a dead letter or a retry of their order are left alone until it lets them go") {
            val ledger = ledger()
            val (first, second) = List(2) { nth ->
                ledger.client.jobs.enqueue(JobRequest.builder(greet, "$nth").maxAttempts(2).orderKey("Ada").build()).id()
            }
            val failing = handlers { on(greet) { error("no") } }

            ledger.work(failing)
            ledger.status(first) shouldBe JobStatus.PENDING
            ledger.advance(Duration.ofMinutes(11))
            ledger.work(failing)
            ledger.status(first) shouldBe JobStatus.DEAD_LETTERED
            ledger.status(second) shouldBe JobStatus.PENDING
            ledger.client.jobs.releaseOrder(Scope.global(), first, "go on")
            ledger.work(handlers)

            ledger.status(second) shouldBe JobStatus.SUCCEEDED
        }

        test("a schedule fires when its time has come") {
            val ledger = ledger()
            ledger.client.definitions.declare(ping)
            ledger.client.schedules.upsert(
                ScheduleRequest.builder("daily", ping, Json.of("{}")).cron("@daily").zone("UTC").build(),
            )
            val pings = handlers { on(ping) { } }

            ledger.work(pings).finished shouldBe 0
            ledger.advance(Duration.ofDays(1))

            ledger.work(pings).finished shouldBe 1
        }

        test("a schedule of workflows fires when its time has come, and its steps are done") {
            val ledger = ledger()
            ledger.client.definitions.declare(ping)
            val workflow = WorkflowRequest.builder("pings").also { flow ->
                val first = flow.job("first") { it.runs(ping, Json.of("{}")) }
                flow.job("second") { it.runs(ping, Json.of("{}")).after(first) }
            }.build()
            ledger.client.schedules.upsert(ScheduleRequest.builder("daily", workflow).cron("@daily").build())
            val pings = handlers { on(ping) { } }

            ledger.work(pings).finished shouldBe 0
            ledger.advance(Duration.ofDays(1))

            ledger.work(pings).finished shouldBe 2
        }

        test("work that does not end is named") {
            val ledger = ledger()
            val job = ledger.client.jobs.enqueue(greet, "Ada").id()
            val go = CountDownLatch(1)
            val stuck = handlers {
                blocking(greet) {
                    go.await()
                    JobOutcome.succeeded()
                }
            }

            val failure = shouldThrow<AssertionError> { ledger.work(stuck, Duration.ofMillis(300)) }

            failure.message!! shouldStartWith "After PT0.3S there is still a job"
            failure.message!! shouldContain job.toString()
        }

        test("time does not go back") {
            shouldThrow<IllegalArgumentException> { ledger().advance(Duration.ofSeconds(-1)) }
        }
    })
