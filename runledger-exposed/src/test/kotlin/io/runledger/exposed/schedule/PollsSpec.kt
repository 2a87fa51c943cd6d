package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.triggers
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.schedule.TakenPoll
import java.time.Duration
import java.time.Instant

class PollsSpec :
    FunSpec({
        val flow = flow()
        val ledger = flow.ledger
        val client = flow.client
        val triggers = client.triggers
        val schedules = client.schedules
        val due = client.dueSchedules
        val global = Scope.global()
        val lease = Duration.ofMinutes(1)
        val names = listOf("files")

        fun take(): TakenPoll = triggers.take(names, lease).single()

        fun job(key: String): PollResult = PollResult.fire(key, JobRequest.builder("work", Json.of("\"$key\"")).build())

        fun makeDue() = ledger.run("UPDATE runledger.job_schedules SET next_fire_at = clock_timestamp()")

        fun jobs() = ledger.value("SELECT count(*) FROM runledger.job_queue").toInt()

        fun history() = schedules.fires(global, "files").items().map { "${it.outcome()} ${it.times()}" }

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.workflow_runs",
                "DELETE FROM runledger.job_queue",
            )
            triggers.register("files", Duration.ofSeconds(30))
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a new trigger is due at once, one worker gets its poll, and the next comes in its time") {
            triggers.untilNextPoll(names) shouldBe Duration.ZERO
            val poll = take()
            poll.name() shouldBe "files"
            triggers.take(names, lease).shouldBeEmpty()
            (triggers.untilNextPoll(names)!! > Duration.ofSeconds(30)) shouldBe true

            triggers.settle(poll, PollResult.skip("Nothing there.")).single().reason() shouldBe "Nothing there."

            triggers.take(names, lease).shouldBeEmpty()
            (triggers.untilNextPoll(names)!! <= Duration.ofSeconds(30)) shouldBe true
            due.untilNextFire() shouldBe null
            due.fire(10).schedules() shouldBe 0
        }

        test("what is found is started once, a job or a workflow, and what was found before is not") {
            val both = job("a").and(PollResult.fire("b", workflow { work("only") })).and(job("a"))
            val lines = triggers.settle(take(), both)

            lines.map { "${it.dedupKey()} ${it.jobId() != null} ${it.runId() != null}" } shouldContainExactly
                listOf("a true false", "b false true")
            makeDue()
            triggers.settle(take(), both).single().outcome() shouldBe FireOutcome.SKIPPED_DUPLICATE
            makeDue()
            triggers.settle(take(), both.and(job("c"))).single().dedupKey() shouldBe "c"
            jobs() shouldBe 3
            schedules.get(global, "files").lastFiredAt() shouldBe schedules.fires(global, "files").items().first().firedAt()
        }

        test("polls in a row that lead to the same and to nothing are one line; keys and failures are told apart") {
            repeat(3) {
                triggers.settle(take(), PollResult.skip())
                makeDue()
            }
            repeat(2) {
                triggers.fail(take(), "The disk is gone.")
                makeDue()
            }
            triggers.settle(take(), job("a"))
            makeDue()
            triggers.settle(take(), PollResult.skip())

            history() shouldContainExactly listOf("SKIPPED_POLL 1", "FIRED 1", "FAILED 2", "SKIPPED_POLL 3")
            schedules.fires(global, "files").items()[2].errorCode() shouldBe ErrorCode.POLL_FAILED.wire()
        }

        test("what cannot be started fails alone, is told with its key, and is tried again when it is found again") {
            val unknown = PollResult.fire("x", JobRequest.builder("unheard-of", Json.NULL).build())

            val (good, bad) = triggers.settle(take(), job("a").and(unknown).and(job("b"))).partition {
                it.outcome() == FireOutcome.FIRED
            }

            good.map { it.dedupKey() } shouldContainExactlyInAnyOrder listOf("a", "b")
            bad.single().dedupKey() shouldBe "x"
            bad.single().errorCode() shouldBe ErrorCode.DEFINITION_UNAVAILABLE.wire()
            bad.single().reason().orEmpty() shouldContain "unheard-of"
            jobs() shouldBe 2
            repeat(2) {
                makeDue()
                triggers.settle(take(), job("a").and(unknown)).single().times() shouldBe it + 2
            }
            ledger.define("unheard-of")
            makeDue()
            triggers.settle(take(), job("a").and(unknown)).single().outcome() shouldBe FireOutcome.FIRED
        }

        test("what failed and is started by another poll of the same instant is noted, and is not started a third time") {
            val late = PollResult.fire("late", JobRequest.builder("late", Json.NULL).build())
            val poll = take()
            triggers.settle(poll, late).single().outcome() shouldBe FireOutcome.FAILED
            ledger.define("late")
            schedules.retime(global, "files", poll.scheduledFor())

            val fired = triggers.settle(take(), late).single()

            fired.outcome() shouldBe FireOutcome.FIRED
            fired.errorCode() shouldBe null
            fired.reason() shouldBe null
            fired.jobId().toString() shouldBe ledger.value("SELECT id FROM runledger.job_queue")
            history() shouldContainExactly listOf("FIRED 2")
            repeat(2) {
                schedules.retime(global, "files", poll.scheduledFor())
                triggers.settle(take(), late).single().outcome() shouldBe FireOutcome.SKIPPED_DUPLICATE
            }
            jobs() shouldBe 1
        }

        test("every poll of one instant tells what it led to") {
            val poll = take()
            triggers.settle(poll, PollResult.skip("Nothing there.")).single().reason() shouldBe "Nothing there."
            schedules.retime(global, "files", poll.scheduledFor())

            val failed = triggers.fail(take(), "The disk is gone.").single()

            failed.outcome() shouldBe FireOutcome.FAILED
            failed.errorCode() shouldBe ErrorCode.POLL_FAILED.wire()
            history() shouldContainExactly listOf("FAILED 2")
        }

        test("a find whose job the service's own database rules refuse leaves the others alone") {
            ledger.run("ALTER TABLE runledger.job_queue ADD CONSTRAINT no_thirteen CHECK (payload <> '\"13\"')")
            val lines = triggers.settle(take(), job("12").and(job("13")).and(PollResult.fire("w", workflow { work("only") })))

            lines.map { "${it.dedupKey()} ${it.outcome()}" } shouldContainExactlyInAnyOrder
                listOf("12 FIRED", "13 FAILED", "w FIRED")
            ledger.run("ALTER TABLE runledger.job_queue DROP CONSTRAINT no_thirteen")
            jobs() shouldBe 2
        }

        test("a poll that is asked for while one is under way is not lost, and neither is another time") {
            triggers.register("files", Duration.ofHours(1))
            val poll = take()
            schedules.fireNow(global, "files", "A file came while it looked.")
            triggers.settle(poll, PollResult.skip())

            val asked = take()
            val later = schedules.retime(global, "files", Instant.parse("2199-01-01T00:00:00Z")).nextFireAt()
            triggers.settle(asked, job("a"))
            schedules.get(global, "files").nextFireAt() shouldBe later
        }

        test("of a racing poll and a request for one the request is never lost") {
            triggers.register("files", Duration.ofHours(1))
            repeat(30) {
                val poll = take()
                racing(2) { if (it == 0) triggers.settle(poll, PollResult.skip()) else schedules.fireNow(global, "files") }
            }
            take().name() shouldBe "files"
        }

        test("what a poll finds after its trigger was paused is not started, and is found again after the resume") {
            val poll = take()
            schedules.pause(global, "files", "The disk is full.")

            val line = triggers.settle(poll, job("a")).single()

            line.outcome() shouldBe FireOutcome.SKIPPED_POLL
            line.reason().orEmpty() shouldContain "paused during the poll"
            jobs() shouldBe 0
            schedules.resume(global, "files")
            makeDue()
            triggers.settle(take(), job("a")).single().outcome() shouldBe FireOutcome.FIRED
        }

        test("a worker that dies leaves its poll to another, and what it found too late is not started") {
            val dead = take()
            ledger.run("UPDATE runledger.job_schedules SET poll_until = clock_timestamp()")
            val heir = take()

            shouldRefuse(ErrorCode.POLL_LOST) { triggers.settle(dead, job("a")) }
            triggers.settle(heir, job("a")).single().outcome() shouldBe FireOutcome.FIRED
            shouldRefuse(ErrorCode.POLL_LOST) { triggers.fail(heir, "again") }
            shouldRefuse(ErrorCode.POLL_LOST) { triggers.settle(heir, job("b")) }
            triggers.release(heir) shouldBe false
            jobs() shouldBe 1
        }

        test("a worker that dies while it writes has started nothing, remembered nothing, and another finds it again") {
            repeat(10) { round ->
                makeDue()
                val poll = take()
                val dying = ledger.dataSource.connection
                dying.autoCommit = false
                client.within(dying).triggers.settle(poll, job("file $round"))
                dying.abort(Runnable::run)
                // Wait until the server has noticed, by locking the row that the session held. The dead worker's poll has expired.
                ledger.run("UPDATE runledger.job_schedules SET poll_until = clock_timestamp()")

                triggers.settle(take(), job("file $round")).single().outcome() shouldBe FireOutcome.FIRED
            }
            jobs() shouldBe 10
        }

        test("of racing workers one gets each poll, and the same find is started once") {
            repeat(40) { round ->
                makeDue()
                val taken = racing(4) { triggers.take(names, lease).onEach { triggers.settle(it, job("find ${round / 2}")) } }
                taken.flatten() shouldHaveSize 1
            }
            jobs() shouldBe 20
        }

        test("a poll that is given back is due at once") {
            triggers.release(take()) shouldBe true
            triggers.untilNextPoll(names) shouldBe Duration.ZERO
            history().shouldBeEmpty()
        }

        test("a trigger is paused, resumed and polled at once as a schedule is, and its history tells it") {
            triggers.settle(take(), PollResult.skip())
            schedules.fireNow(global, "files", "A file came by mail.").outcome() shouldBe FireOutcome.POLL_REQUESTED
            triggers.settle(take(), job("a"))
            schedules.pause(global, "files")
            makeDue()
            triggers.take(names, lease).shouldBeEmpty()
            triggers.untilNextPoll(names) shouldBe null
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { schedules.fireNow(global, "files") }
            schedules.resume(global, "files").active() shouldBe true

            schedules.fires(global, "files").items().map { it.outcome() } shouldContainExactly listOf(
                FireOutcome.RESUMED,
                FireOutcome.PAUSED,
                FireOutcome.FIRED,
                FireOutcome.POLL_REQUESTED,
                FireOutcome.SKIPPED_POLL,
            )
        }

        test("registered again it stays as it is, with another interval it is due at once, and names are shared with schedules") {
            triggers.settle(take(), PollResult.skip())
            schedules.pause(global, "files")
            val before = schedules.get(global, "files")
            val same = triggers.register("files", Duration.ofSeconds(30))
            same.nextFireAt() shouldBe before.nextFireAt()
            same.active() shouldBe false
            same.kind() shouldBe ScheduleKind.POLL
            triggers.register("files", Duration.ofSeconds(5)).interval() shouldBe Duration.ofSeconds(5)
            schedules.resume(global, "files")

            schedules.upsert(ScheduleRequest.builder("nightly", "work", Json.NULL).cron("@daily").build())
            shouldRefuse(ErrorCode.DB_UNIQUE) { triggers.register("nightly", Duration.ofSeconds(30)) }
            shouldRefuse(ErrorCode.DB_UNIQUE) {
                schedules.upsert(ScheduleRequest.builder("files", "work", Json.NULL).cron("@daily").build())
            }
            shouldRefuse(ErrorCode.INVALID_SCHEDULE_NAME) { triggers.register(" ", Duration.ofSeconds(30)) }
            shouldRefuse(ErrorCode.INVALID_INTERVAL) { triggers.register("other", Duration.ZERO) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { triggers.take(names, Duration.ZERO) }
            shouldRefuse(ErrorCode.INVALID_DEDUP_KEY) { job(" ") }
        }
    })
