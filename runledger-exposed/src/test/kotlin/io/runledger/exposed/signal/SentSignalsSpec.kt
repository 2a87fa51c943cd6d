package io.runledger.exposed.signal

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant

class SentSignalsSpec :
    FunSpec({
        val everything = Scope.everything()
        val ledger = freshLedger().apply { define("mail", "print") }
        val client = ledger.client
        val ear = autoClose(Ear(ledger))

        /** Has sent no notification yet, so its next changes send one. */
        fun fresh() = RunledgerClient.create(ledger.dataSource)

        fun request(type: String) = JobRequest.builder(type, Json.EMPTY_OBJECT).build()

        beforeTest { ledger.run("DELETE FROM runledger.job_replays", "DELETE FROM runledger.job_queue") }

        test("a commit tells of new jobs once per type, a rollback tells nothing") {
            ear.heard {
                ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    client.within(connection).jobs.enqueue(request("print"))
                    connection.rollback()
                    repeat(3) { client.within(connection).jobs.enqueueAll(List(50) { request("mail") }) }
                    connection.commit()
                }
            } shouldContainExactly listOf("j:mail")
            ear.heard { fresh().jobs.enqueueAll(List(20) { request(if (it % 2 == 0) "mail" else "print") }) }
                .shouldContainExactlyInAnyOrder("j:mail", "j:print")
        }

        test("jobs due later are not told of, nor is an enqueue that found its job") {
            ledger.enqueue { idempotencyKey("k") }
            ear.heard {
                ledger.enqueue { idempotencyKey("k") }
                ledger.enqueue { delay(Duration.ofHours(1)) }
                ledger.enqueue { runAt(Instant.parse("2100-01-01T00:00:00Z")) }
            }.shouldBeEmpty()
            val past = JobRequest.builder("mail", Json.EMPTY_OBJECT).runAt(Instant.parse("2020-01-01T00:00:00Z")).build()
            ear.heard { fresh().jobs.enqueue(past) }.withoutIds() shouldContainExactly listOf("n:mail")
        }

        test("what found its job, or failed, does not keep the next one from telling") {
            val busy = fresh()
            val keyed = JobRequest.builder("mail", Json.EMPTY_OBJECT).idempotencyKey("k").build()
            ledger.enqueue { idempotencyKey("k") }
            ear.heard {
                busy.jobs.enqueue(keyed)
                busy.jobs.enqueue(request("mail"))
            }.withoutIds() shouldContainExactly listOf("n:mail")
            val failing = fresh()
            ear.heard {
                shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) {
                    failing.jobs.enqueueAll(listOf(request("mail"), request("unknown")))
                }
                failing.jobs.enqueue(request("mail"))
            }.withoutIds() shouldContainExactly listOf("n:mail")
        }

        test("a caller's transaction tells, however shortly after another") {
            val busy = fresh().apply { jobs.enqueue(request("mail")) }
            ear.heard {
                ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    val joined = busy.within(connection)
                    repeat(3) {
                        joined.jobs.enqueue(request("mail"))
                        connection.commit()
                    }
                }
            }.withoutIds() shouldContainExactly List(3) { "n:mail" }
        }

        test("a release tells of the type, unless the jobs are due later") {
            repeat(2) { ledger.enqueue() }
            val (now, later) = ledger.claim().map { it.lease() }
            ear.heard { client.leases.release(listOf(later), "SHUTDOWN", Duration.ofMinutes(1)) }.shouldBeEmpty()
            ear.heard { client.leases.release(listOf(now), "SHUTDOWN") } shouldContainExactly listOf("j:mail")
        }

        test("a release tells nothing of the jobs of a paused run, which nobody may claim") {
            val apart = freshLedger().define("work")
            val run = apart.client.workflows.enqueue(workflow { work("only") }).runId()
            val lease = apart.client.leases.claim(ClaimRequest.of(listOf("work"), "w1", lease, 1)).single().lease()
            apart.client.workflows.pause(everything, run, "Look first.")

            Ear(apart).use { it.heard { apart.client.leases.release(listOf(lease), "SHUTDOWN") } }.shouldBeEmpty()
        }

        test("a requeue and a replay tell of the type") {
            repeat(3) { ledger.enqueue() }
            val (done, dead, second) = ledger.claim()
            ledger.settle(done, Verdict.Succeed(null))
            listOf(dead, second).forEach {
                ledger.settle(it, Verdict.DeadLetter(JobFailure.terminal("x", "x"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))
            }
            val keep = KeptState.RESET_PROGRESS_AND_CHECKPOINT
            ear.heard { client.jobs.requeueDeadLetters(everything, JobSelection.any(), keep, null, 10) }
                .shouldContainExactly("j:mail")
            val replay = ReplayRequest(done.lease().jobId(), 1, "again", "asked for")
            ear.heard { client.jobs.replay(everything, replay) } shouldContainExactly listOf("j:mail")
            ear.heard { client.jobs.replay(everything, replay) }.shouldBeEmpty()
        }

        test("a schedule that fires or is triggered tells of its jobs' type") {
            listOf("a", "b").forEach {
                client.schedules.upsert(
                    ScheduleRequest.builder(it, "print", Json.EMPTY_OBJECT).every(Duration.ofDays(1))
                        .firstFireAt(Instant.parse("2026-01-01T00:00:00Z")).build(),
                )
            }
            ear.heard { client.dueSchedules.fire(10) } shouldContainExactly listOf("j:print")
            ear.heard { client.dueSchedules.fire(10) }.shouldBeEmpty()
            ear.heard { client.schedules.fireNow(Scope.global(), "a") } shouldContainExactly listOf("j:print")
        }

        test("a pause and its end tell of the type, and nothing else that is done to it does") {
            ear.heard { client.definitions.pause("mail") } shouldContainExactly listOf("p:mail")
            ear.heard {
                client.definitions.pause("mail")
                client.definitions.change("mail", DefinitionChange.builder().priority(3).build())
                client.definitions.disable("mail")
                client.definitions.enable("mail")
            }.shouldBeEmpty()
            ear.heard { client.definitions.resume("mail") } shouldContainExactly listOf("j:mail")
            ear.heard { client.definitions.resume("mail") }.shouldBeEmpty()
        }

        test("a pause of a run tells of the run") {
            val apart = freshLedger().define("work")
            val run = apart.client.workflows.enqueue(workflow { work("only") }).runId()

            Ear(apart).use { it.heard { apart.client.workflows.pause(everything, run) } } shouldContainExactly listOf("h:$run")
        }

        test("canceling tells of each job that a worker holds") {
            ledger.enqueue()
            val held = ledger.claim().single().lease().jobId()
            val waiting = ledger.enqueue().id()
            ear.heard { client.jobs.cancelAll(everything, listOf(held, waiting)) } shouldContainExactly listOf("c:$held")
            ear.heard { client.jobs.cancelAll(everything, listOf(held, waiting)) }.shouldBeEmpty()
        }

        test("a client whose notifications are off sends nothing") {
            val silent = RunledgerClient.builder(ledger.dataSource).notifications(false).build()
            ear.heard {
                val id = silent.jobs.enqueue(request("mail")).id()
                silent.leases.release(ledger.claim().map { it.lease() }, "SHUTDOWN")
                ledger.claim()
                silent.jobs.cancel(everything, id)
                silent.definitions.pause("mail")
                silent.definitions.resume("mail")
                silent.schedules.fireNow(Scope.global(), "a")
            }.shouldBeEmpty()
        }
    })

/** The notification of a single new job names it between the kind and the type. */
private fun List<String>.withoutIds(): List<String> = map { it.replace(Regex("^n:[^:]+:"), "n:") }
