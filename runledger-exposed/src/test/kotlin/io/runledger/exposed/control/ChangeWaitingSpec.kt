package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Ear
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.work
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Job
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ChangeWaitingSpec :
    FunSpec({
        val everything = Scope.everything()
        val later = Instant.parse("2190-01-01T00:00:00.000001Z")

        test("a job is run now: it is due, the workers are notified, and the time before stays in its story") {
            val bench = bench()
            val ear = autoClose(Ear(bench.ledger))
            val id = bench.enqueue { runAt(later) }
            bench.claim().shouldBeEmpty()

            ear.heard { bench.client.jobs.runNow(everything, id, "urgent").isDue() shouldBe true } shouldContainExactly
                listOf("j:${Bench.TYPE}")

            bench.journal(id, "event_type, run_number, attempt, payload - 'next_run_at'") shouldContainExactly listOf(
                """EDITED|1||{"reason": "urgent", "changed": ["next_run_at"], "previous_next_run_at": """ +
                    """"${bench.ledger.value("SELECT to_json('$later'::timestamptz) #>> '{}'")}"}""",
            )
            bench.claim().single().lease().jobId() shouldBe id
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("a job is put off, and back to a time that has passed, which is now") {
            val bench = bench()
            val ear = autoClose(Ear(bench.ledger))
            val id = bench.enqueue()

            ear.heard {
                bench.client.jobs.reschedule(everything, id, later, "not yet").nextRunAt() shouldBe later
            }.shouldBeEmpty()
            bench.claim().shouldBeEmpty()
            bench.client.jobs.reschedule(everything, id, Instant.EPOCH, "now").nextRunAt().isAfter(Instant.EPOCH) shouldBe true

            bench.claim().single().lease().jobId() shouldBe id
        }

        test("a job with a higher priority is claimed before the others") {
            val bench = bench()
            val ids = bench.enqueue(3)

            bench.client.jobs.reprioritize(everything, ids[2], 200, "urgent").priority() shouldBe 200

            bench.journal(ids[2], "event_type, payload") shouldContainExactly listOf(
                """EDITED|{"reason": "urgent", "changed": ["priority"], "priority": 200, "previous_priority": 100}""",
            )
            bench.claim().single().lease().jobId() shouldBe ids[2]
        }

        test("a job is snoozed from the time at which it is due, and a due job from now") {
            val bench = bench()
            val delayed = bench.enqueue { runAt(later) }
            val due = bench.enqueue()
            bench.set(due, "next_run_at = next_run_at - interval '1 day', updated_at = updated_at - interval '1 day'")
            val hour = Duration.ofHours(1)

            bench.client.jobs.snooze(everything, delayed, hour, "not yet").nextRunAt() shouldBe later.plus(hour)
            bench.client.jobs.snooze(everything, delayed, hour, "not yet").nextRunAt() shouldBe later.plus(hour).plus(hour)
            bench.client.jobs.snooze(everything, due, hour, "not yet")

            bench.row(due, "next_run_at - updated_at") shouldBe "01:00:00"
            bench.journal(due, "event_type, payload ->> 'reason', payload -> 'changed'") shouldContainExactly
                listOf("""EDITED|not yet|["next_run_at"]""")
            bench.claim().shouldBeEmpty()
            listOf(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE)).forEach { by ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.snooze(everything, due, by, "why") }
            }
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("each job of a selection is snoozed once, whatever its place in the walk becomes") {
            val bench = bench()
            val ids = bench.enqueue(1_200)
            bench.client.jobs.rescheduleAllWhere(everything, JobSelection.any(), later, "later")
            bench.ledger.run("UPDATE runledger.job_queue SET updated_at = created_at, priority = 7 WHERE id < '${ids[300]}'")

            bench.client.jobs.snoozeAllWhere(everything, JobSelection.any(), Duration.ofHours(1), "later") shouldBe 1_200

            bench.ledger.rows("SELECT DISTINCT next_run_at - '$later' FROM runledger.job_queue") shouldContainExactly
                listOf("01:00:00")
        }

        test("a job that has changed since it was read is not changed") {
            val bench = bench()
            val jobs = bench.client.jobs
            val id = bench.enqueue { runAt(later) }
            val hour = Duration.ofHours(1)
            val calls = listOf<(Job) -> Job>(
                { jobs.snooze(everything, it, hour, "why") },
                { jobs.reprioritize(everything, it, it.priority() + 1, "why") },
                { jobs.reschedule(everything, it, it.nextRunAt().plus(hour), "why") },
                { jobs.runNow(everything, it, "why") },
            )
            calls.forEach { call ->
                val seen = jobs.get(everything, id)
                call(seen).id() shouldBe id
                calls.forEach { other ->
                    shouldRefuse(ErrorCode.JOB_STATE) { other(seen) }.message shouldContain "has changed since it was read"
                }
            }
            bench.journal(id).size shouldBe 4
            val seen = jobs.get(everything, id)
            bench.claimOne()
            calls.forEach { call -> shouldRefuse(ErrorCode.JOB_STATE) { call(seen) }.message shouldContain "LEASED" }
        }

        test("what is as requested already does not change") {
            val bench = bench()
            val due = bench.enqueue()
            val delayed = bench.enqueue { runAt(later) }
            val before = listOf(due, delayed).map { bench.row(it, "updated_at, next_run_at, priority") }

            bench.client.jobs.runNow(everything, due, "urgent")
            bench.client.jobs.reschedule(everything, due, Instant.EPOCH, "urgent")
            bench.client.jobs.reschedule(everything, delayed, later, "later")
            bench.client.jobs.reprioritize(everything, due, 100, "same")

            listOf(due, delayed).map { bench.row(it, "updated_at, next_run_at, priority") } shouldContainExactly before
            listOf(due, delayed).flatMap { bench.journal(it) }.shouldBeEmpty()
        }

        val calls = listOf<RunledgerClient.(Scope, UUID) -> Job>(
            { scope, id -> jobs.runNow(scope, id, "why") },
            { scope, id -> jobs.reschedule(scope, id, later, "why") },
            { scope, id -> jobs.snooze(scope, id, Duration.ofHours(1), "why") },
            { scope, id -> jobs.reprioritize(scope, id, 1, "why") },
        )

        test("jobs that do not wait, jobs of another scope and blank reasons are refused") {
            val bench = bench()
            val done = bench.succeeded()
            val dead = bench.dead()
            val running = bench.leased().jobId()
            val waiting = bench.enqueue()
            calls.forEach { call ->
                listOf(done, dead, running).forEach { id ->
                    shouldRefuse(ErrorCode.JOB_STATE) { bench.client.call(everything, id) }
                }
                shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.call(Scope.organization(UUID.randomUUID()), waiting) }
                shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.call(everything, UUID.randomUUID()) }
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.runNow(everything, waiting, " ") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.reschedule(everything, waiting, Instant.MAX, "why") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                bench.client.jobs.runNowAllWhere(everything, JobSelection.any().inStatus(JobStatus.LEASED), "why")
            }
        }

        test("jobs of steps can be moved, unless their run is paused") {
            val flow = flow()
            val run = flow.start {
                work("a") { delay(Duration.ofDays(1)) }
                work("b")
            }
            val (a, b) = listOf("a", "b").map { flow.client.workflows.getStep(everything, run, it).job()!!.jobId()!! }

            flow.client.jobs.runNow(everything, a, "urgent")
            flow.client.jobs.reschedule(everything, b, later, "later")
            flow.client.jobs.reprioritize(everything, a, 7, "later")
            flow.contradictions().shouldBeEmpty()
            flow.finish("a")

            flow.client.workflows.pause(everything, run, "hold")
            calls.forEach { call -> shouldRefuse(ErrorCode.JOB_STATE) { flow.client.call(everything, b) } }
            flow.client.jobs.runNowAllWhere(everything, JobSelection.ofType(Flow.TYPE), "urgent") shouldBe 0
            flow.client.workflows.resume(everything, run)
            flow.client.jobs.runNow(everything, b, "urgent")
            flow.finish("b")
            flow.status(run) shouldBe "SUCCEEDED"
            flow.contradictions().shouldBeEmpty()
        }

        test("each job of a selection changes once, whatever its place in the walk becomes") {
            val bench = bench()
            bench.enqueue(1_200)
            val all = JobSelection.ofType(Bench.TYPE)
            val jobs = bench.client.jobs
            fun lines() = bench.ledger.value("SELECT count(*) FROM runledger.job_journal")

            jobs.rescheduleAllWhere(everything, all, later, "later") shouldBe 1_200
            jobs.rescheduleAllWhere(everything, all, later, "later") shouldBe 0
            jobs.reprioritizeAllWhere(everything, all, 7, "less") shouldBe 1_200
            jobs.reprioritizeAllWhere(everything, all, 200, "more") shouldBe 1_200
            jobs.runNowAllWhere(everything, all, "urgent") shouldBe 1_200
            jobs.runNowAllWhere(everything, all, "urgent") shouldBe 0

            lines() shouldBe "4800"
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("a batch costs two statements, and two more for an operator") {
            val bench = bench()
            bench.enqueue(1_200)
            val all = JobSelection.ofType(Bench.TYPE)
            val counting = CountingDataSource(bench.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.jobs.get(everything, bench.enqueue())

            // The time, and three batches.
            counting.count { client.jobs.rescheduleAllWhere(everything, all, later, "later") } shouldBe 1 + 3 * 2
            // Jobs that become due are read again among those that are due. The record: begin, progress of each batch, end.
            val dana = client.actingAs("dana")
            counting.count { dana.jobs.rescheduleAllWhere(everything, all, Instant.EPOCH, "now") } shouldBe 1 + 5 * 2 + 1 + 5 + 1
        }
    })

private fun Job.isDue() = !nextRunAt().isAfter(updatedAt())
