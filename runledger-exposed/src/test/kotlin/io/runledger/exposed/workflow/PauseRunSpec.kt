package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.fleet.card
import io.runledger.exposed.leases
import io.runledger.exposed.membership
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.upkeep
import io.runledger.model.error.ErrorCode
import io.runledger.model.history.JobReason
import io.runledger.model.history.RunEventType
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.run.PausedRun
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.ResumedRun
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class PauseRunSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun pause(run: UUID, reason: String? = "look first", scope: Scope = everything) =
            flow.client.workflows.pause(scope, run, reason)

        fun resume(run: UUID, reason: String? = null, scope: Scope = everything) =
            flow.client.workflows.resume(scope, run, reason)

        fun events(run: UUID) = flow.client.workflows.runEvents(everything, run)

        test("both say what they did, and repeating them changes nothing") {
            val run = flow.start { work("a") }

            val paused = pause(run)
            val again = pause(run, "another reason")
            val resumed = resume(run, "all is well")
            val twice = resume(run)

            paused.result() shouldBe PausedRun.Result.PAUSED
            paused.run().isPaused shouldBe true
            paused.run().status() shouldBe WorkflowRunStatus.RUNNING
            again.result() shouldBe PausedRun.Result.ALREADY_PAUSED
            again.run() shouldBe paused.run()
            resumed.result() shouldBe ResumedRun.Result.RESUMED
            resumed.run().pausedAt().shouldBeNull()
            resumed.run().pauseReason().shouldBeNull()
            twice.result() shouldBe ResumedRun.Result.NOT_PAUSED
            twice.run() shouldBe resumed.run()
            events(run).map { it.type() to it.reason() } shouldContainExactly
                listOf(RunEventType.PAUSED to "look first", RunEventType.RESUMED to "all is well")
            events(run).first().occurredAt() shouldBe paused.run().pausedAt()
        }

        test("a run that has ended is given back as it is") {
            val run = flow.start { work("a") }
            flow.finish("a")

            pause(run).result() shouldBe PausedRun.Result.ALREADY_ENDED
            resume(run).result() shouldBe ResumedRun.Result.ALREADY_ENDED
            events(run).shouldBeEmpty()
        }

        test("the run, its story and the reasons of its jobs tell since when and why") {
            val run = flow.start {
                work("a")
                work("b")
            }
            pause(run, "prices are wrong")

            val story = flow.client.workflows.story(everything, run)
            val why = flow.client.jobs.why(everything, flow.jobOf(run, "a"))

            val since = story.run().pausedAt().shouldNotBeNull()
            story.run().pauseReason() shouldBe "prices are wrong"
            story.runEvents() shouldContainExactly events(run)
            why.map { it.code() } shouldContainExactly listOf(JobReason.Code.RUN_PAUSED, JobReason.Code.WORKFLOW_STEP)
            why.first().at() shouldBe since
            why.first().sentence() shouldContain "paused since $since"
            why.first().sentence() shouldContain "prices are wrong"
            resume(run)
            flow.client.membership.enter(card("w-listed", types = listOf(Flow.TYPE)))
            flow.client.jobs.why(everything, flow.jobOf(run, "a")).map { it.code() }.let {
                it shouldContain JobReason.Code.READY
                it shouldNotContain JobReason.Code.RUN_PAUSED
            }
        }

        test("an attempt that runs goes on: it renews, ends and counts") {
            val run = flow.start { work("b", work("a")) }
            val claimed = flow.claim().getValue("a")
            pause(run)

            val renewal = flow.client.leases.renew(listOf(claimed.lease()), Duration.ofMinutes(5)).single()
            renewal.answer() shouldBe Renewal.Answer.RENEWED
            flow.succeed(claimed, "done").result() shouldBe SettledJob.Result.SUCCEEDED

            flow.steps(run) shouldContainExactly listOf("a SUCCEEDED", "b ENQUEUED")
        }

        test("a run with nothing left to start ends although it is paused, and the pause with it") {
            val run = flow.start { work("b", work("a").onFailure()) }
            val claimed = flow.claim().getValue("a")
            pause(run)

            flow.succeed(claimed)

            val ended = flow.client.workflows.get(everything, run)
            ended.status() shouldBe WorkflowRunStatus.SUCCEEDED
            ended.isPaused shouldBe false
            ended.pauseReason().shouldBeNull()
            flow.client.workflows.await(everything, run, Duration.ZERO).get().id() shouldBe run
            resume(run).result() shouldBe ResumedRun.Result.ALREADY_ENDED
            events(run).map { it.type() } shouldContainExactly listOf(RunEventType.PAUSED)
        }

        test("a paused run can be canceled, and is not paused any more") {
            val run = flow.start {
                work("running")
                gate("open")
            }
            flow.claim()
            flow.append(run, "more", "open") { work("queued") }
            pause(run)

            val canceled = flow.client.workflows.cancel(everything, run, "stop")

            canceled.status() shouldBe WorkflowRunStatus.CANCELED
            canceled.isPaused shouldBe false
            flow.claim().keys.shouldBeEmpty()
        }

        test("a paused run holds its active key, and is not recovered or retried before it has ended") {
            val request = workflow {
                activeKey("one at a time")
                work("a")
            }
            val run = flow.client.workflows.enqueueUnlessActive(request).runId()
            pause(run)

            flow.client.workflows.enqueueUnlessActive(request).disposition() shouldBe Disposition.ACTIVE
            shouldRefuse(ErrorCode.RETRY_NOT_POSSIBLE) {
                flow.client.workflows.retryFailed(everything, RetryFailedRequest(run, "again", "mended"))
            }
            shouldRefuse(ErrorCode.RECOVERY_SOURCE_NOT_TERMINAL) {
                flow.client.workflows.recover(everything, RecoveryRequest.of(run, "anew", "mended"))
            }
        }

        test("what is not there, not in the scope, not READ COMMITTED or without words is refused") {
            val run = flow.start {
                organization(UUID.randomUUID())
                work("a")
            }

            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { pause(UUID.randomUUID()) }
            listOf(Scope.global(), Scope.organization(UUID.randomUUID())).forEach { foreign ->
                shouldRefuse(ErrorCode.RUN_NOT_FOUND) { pause(run, scope = foreign) }
                shouldRefuse(ErrorCode.RUN_NOT_FOUND) { resume(run, scope = foreign) }
                flow.client.workflows.runEvents(foreign, run).shouldBeEmpty()
            }
            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.PAUSE_ISOLATION) { ledger.workflows.pause(everything, run) }
                shouldRefuse(ErrorCode.PAUSE_ISOLATION) { ledger.workflows.resume(everything, run) }
            }
            listOf(" ", "\u0000", "x".repeat(9_000)).forEach { reason ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { pause(run, reason) }
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { resume(run, reason) }
            }
            pause(run, null).run().pauseReason().shouldBeNull()
        }

        test("nobody is told of a job that waits for a resume; the resume tells, once per type") {
            val run = flow.start { work("b", gate("g")) }
            val heard = Heard()

            flow.client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                pause(run)
                heard.shouldHear(Signal.PausedRun(run))
                flow.complete(run, "g")
                flow.start { gate("open") }.also { heard.shouldHear(Signal.OpenedGate(it)) }
                resume(run)
                heard.shouldHear(Signal.DueJobs(Flow.TYPE))
            }
        }

        test("a thousand ready steps take as many statements as one") {
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.upkeep.isNeeded()
            val one = flow.start { work("alone") }
            val many = flow.start { repeat(1_000) { work("s$it") } }

            val statements = listOf(one, many).map { run ->
                val pausing = counting.count { client.workflows.pause(everything, run) }
                pausing to counting.count { client.workflows.resume(everything, run) }
            }
            pause(many)
            flow.claim(2_000).keys shouldBe setOf("alone")
            resume(many)

            statements.distinct() shouldContainExactly listOf(2 to 2)
            flow.claim(2_000).size shouldBe 1_000
            flow.claim(2_000).keys.shouldBeEmpty()
        }
    })
