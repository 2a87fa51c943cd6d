package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueRequest
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.StepRetries
import java.io.IOException
import java.sql.Connection
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.days

private sealed interface Greeter {
    data object AskName : Greeter

    data class SayHello(val name: String, val times: Int = 1) : Greeter

    data class Leave(val words: Any?) : Greeter
}

private val greeter = JobType.builder("greeter", Greeter::class.java)
    .maxAttempts(5)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .build()

private fun machine(block: StepMachineScope<Greeter>.() -> Unit): Handlers = handlers { machine(stepMachine(greeter, block)) }

private val everything = Scope.everything()

class StepMachineSpec :
    FunSpec({
        fun TestLedger.path(id: UUID) = client.jobs.path(everything, id).map { "$it" }

        fun TestLedger.step(id: UUID) = value("SELECT payload FROM runledger.job_queue WHERE id = '$id'")

        fun TestLedger.start(step: Greeter) = enqueue(greeter, step)

        fun TestLedger.clear(id: UUID) {
            val keep = KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT
            client.jobs.requeue(
                everything,
                RequeueRequest(id, JobStatus.DEAD_LETTERED, job(id).runNumber(), keep, "mended"),
            )
        }

        test("a machine goes from step to step to its end, and its story reads as its path") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.AskName)
            val handlers = machine {
                on<Greeter.AskName> { goTo(Greeter.SayHello("Ada")) }
                on<Greeter.SayHello> { if (it.times < 2) goTo(it.copy(times = it.times + 1)) else goTo(Greeter.Leave("bye")) }
                on<Greeter.Leave> { done("left with ${it.words}") }
            }

            working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.job(id).output() shouldBe Json.of("\"left with bye\"")
            ledger.path(id) shouldContainExactly listOf("AskName -> SayHello", "SayHello -> SayHello", "SayHello -> Leave")
            val told = ledger.client.jobs.story(everything, id).events().filter { it.type() == JobEventType.REQUEUED }
            told.map { it.runNumber() } shouldContainExactly listOf(1, 2, 3)
            told.first().payload().text() shouldContain """"from_step": "AskName""""
            ledger.client.jobs.attempts(everything, id).map { it.errorDetails() }.filterNotNull().shouldBeEmpty()
        }

        test("a wait between two steps is a row that anybody can read, holds no place, and outlives its worker") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.AskName)
            val handlers = machine {
                on<Greeter.AskName> { goTo(Greeter.SayHello("Ada"), 3.days) }
                on<Greeter.SayHello> { done(it.name) }
                on<Greeter.Leave> { done() }
            }
            val oneAtATime = quick { maxConcurrency(1) }

            working(ledger.client, handlers, oneAtATime) { witness ->
                witness.await("postponed", id)
                val other = ledger.start(Greeter.Leave(null))
                witness.await("succeeded", other)
            }

            ledger.step(id) shouldBe """{"name": "Ada", "@type": "SayHello", "times": 1}"""
            val isFarOff = "SELECT next_run_at > now() + interval '71 hours' FROM runledger.job_queue WHERE id = '$id'"
            ledger.value(isFarOff) shouldBe "t"
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$id'")
            working(ledger.client, handlers, oneAtATime) { it.await("succeeded", id) }
            ledger.job(id).output() shouldBe Json.of("\"Ada\"")
        }

        test("attempts count anew in every step, and a step's own limit and policy come before the job's") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.AskName)
            val handlers = machine {
                on<Greeter.AskName> { if (attempt() < maxAttempts()) error("deaf") else goTo(Greeter.SayHello("Ada")) }
                on<Greeter.SayHello>(StepRetries.atMost(2, RetryPolicy.fixed(Duration.ofMillis(2)))) {
                    throw IllegalStateException("hoarse", IOException("no air"))
                }
                on<Greeter.Leave> { done() }
            }

            working(ledger.client, handlers) { it.await("dead-lettered", id) }

            val attempts = ledger.client.jobs.attempts(everything, id)
            attempts.map { it.runNumber() to it.attempt() } shouldContainExactly
                listOf(1 to 1, 1 to 2, 1 to 3, 1 to 4, 1 to 5, 2 to 1, 2 to 2)
            attempts[5].retryDelay() shouldBe Duration.ofMillis(2)
            val letter = ledger.client.jobs.deadLetters(everything, id).items().single()
            letter.reason().wire() shouldBe "ATTEMPTS_EXHAUSTED"
            letter.errorMessage() shouldBe "java.lang.IllegalStateException: hoarse; caused by java.io.IOException: no air"
        }

        test("a parked machine that is requeued goes on at the step that failed, with its stored values") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.AskName)
            val heard = ConcurrentLinkedQueue<String>()
            fun handlers(isBroken: Boolean) = machine {
                on<Greeter.AskName> { goTo(Greeter.SayHello("Ada", 7)).also { heard += "asked" } }
                on<Greeter.SayHello>(StepRetries.atMost(1)) { if (isBroken) error("hoarse") else done("${it.name} ${it.times}") }
                on<Greeter.Leave> { done() }
            }
            working(ledger.client, handlers(isBroken = true)) { it.await("dead-lettered", id) }

            ledger.clear(id)
            working(ledger.client, handlers(isBroken = false)) { it.await("succeeded", id) }

            ledger.job(id).output() shouldBe Json.of("\"Ada 7\"")
            heard.toList() shouldContainExactly listOf("asked")
        }

        test("a person may put a parked machine at another step") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.SayHello("Ada"))
            val handlers = machine {
                on<Greeter.AskName> { done() }
                on<Greeter.SayHello> { JobOutcome.failed("greeter.rude", "No.") }
                on<Greeter.Leave> { done(it.words) }
            }
            working(ledger.client, handlers) { it.await("dead-lettered", id) }

            ledger.client.jobs.editPayload(everything, id, greeter, Greeter.Leave("sorry"), "by hand")
            ledger.clear(id)
            working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.job(id).output() shouldBe Json.of("\"sorry\"")
            ledger.value("SELECT payload FROM runledger.job_queue WHERE id = '$id'") shouldBe
                """{"@type": "Leave", "words": "sorry"}"""
        }

        test("a step that cannot be decoded or encoded parks its own machine, and the worker goes on") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val unspeakable = object {
                @Suppress("unused")
                fun getValue(): String = error("no words")
            }
            val handlers = machine {
                on<Greeter.AskName> { goTo(Greeter.Leave(unspeakable)) }
                on<Greeter.SayHello> { done(it.name) }
                on<Greeter.Leave> { done() }
            }
            val undecodable = listOf("""{"@type":"Sing"}""", """{"name":"Ada"}""", "null", """{"@type":"SayHello","name":[]}""")
                .map { ledger.client.jobs.enqueue(JobType.json("greeter"), Json.of(it)).id() }
            val unencodable = ledger.start(Greeter.AskName)

            working(ledger.client, handlers) { witness ->
                (undecodable + unencodable).forEach {
                    (witness.await("dead-lettered", it).detail as JobFailure).code() shouldBe "job.invalid_payload"
                }
                val good = ledger.start(Greeter.SayHello("Ada"))
                witness.await("succeeded", good)
            }

            ledger.job(undecodable.first()).lastErrorMessage().shouldNotBeNull() shouldContain "AskName, Leave, SayHello"
            ledger.step(unencodable) shouldBe """{"@type": "AskName"}"""
            ledger.job(unencodable).lastErrorMessage().shouldNotBeNull() shouldContain "no words"
        }

        test("a step or an output whose getter throws an error parks its machine with the code, and the cause is kept") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val unfinished = object {
                @Suppress("unused")
                fun getValue(): String = throw NotImplementedError("no words yet")
            }
            val handlers = machine {
                on<Greeter.AskName> { goTo(Greeter.Leave(unfinished)) }
                on<Greeter.SayHello> { done(unfinished) }
                on<Greeter.Leave> { done() }
            }
            val step = ledger.start(Greeter.AskName)
            val output = ledger.start(Greeter.SayHello("Ada"))

            working(ledger.client, handlers) { witness ->
                listOf(step, output).forEach { witness.await("dead-lettered", it) }
                witness.await("succeeded", ledger.start(Greeter.Leave("bye")))
            }

            listOf(step, output).map { ledger.job(it).lastErrorCode() } shouldContainExactly
                listOf("job.invalid_payload", "job.invalid_output")
            listOf(step, output).forEach { ledger.job(it).lastErrorMessage().shouldNotBeNull() shouldContain "no words yet" }
        }

        test("settling in a transaction of its own is refused to a step, so that no move is lost; the end can be written so") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val settling = ledger.start(Greeter.AskName)
            val ending = ledger.start(Greeter.SayHello("Ada"))
            fun inTransaction(work: (Connection) -> Unit) = ledger.pool.connection.use {
                it.autoCommit = false
                work(it)
                it.commit()
            }
            val handlers = machine {
                on<Greeter.AskName> {
                    inTransaction { settleIn(it) }
                    goTo(Greeter.Leave("lost"))
                }
                on<Greeter.SayHello> { hello ->
                    inTransaction { doneIn(it, done(hello.name)) }
                    done("ignored")
                }
                on<Greeter.Leave> { done() }
            }

            working(ledger.client, handlers) { witness ->
                (witness.await("dead-lettered", settling).detail as JobFailure).code() shouldBe "job.settled_machine"
                witness.await("succeeded", ending)
            }

            ledger.step(settling) shouldBe """{"@type": "AskName"}"""
            ledger.job(settling).attempt() shouldBe 1
            ledger.job(ending).output() shouldBe Json.of("\"Ada\"")
        }

        test("a move under a lease that was lost is not made: the step is done again by whoever holds the machine") {
            val ledger = freshLedger()
            ledger.define(greeter)
            val id = ledger.start(Greeter.AskName)
            val handlers = machine {
                on<Greeter.AskName> {
                    if (attempt() == 1) {
                        ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")
                        WorkerLedger.of(ledger.client).leases.reap(10, Duration.ofMillis(1))
                        goTo(Greeter.Leave("too late"))
                    } else {
                        goTo(Greeter.SayHello("Ada"))
                    }
                }
                on<Greeter.SayHello> { done(it.name) }
                on<Greeter.Leave> { done("wrong") }
            }

            working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.job(id).output() shouldBe Json.of("\"Ada\"")
            ledger.path(id) shouldContainExactly listOf("AskName -> SayHello")
        }

        test("three workers take a hundred machines to their end, each along its whole path and no other") {
            val ledger = freshLedger(poolSize = 20)
            ledger.define(greeter)
            val done = ConcurrentLinkedQueue<UUID>()
            val handlers = machine {
                on<Greeter.AskName> { goTo(Greeter.SayHello("Ada")) }
                on<Greeter.SayHello> { if (it.times < 3) goTo(it.copy(times = it.times + 1)) else goTo(Greeter.Leave(it.times)) }
                on<Greeter.Leave> { done().also { done += jobId() } }
            }
            val ids = List(100) { ledger.start(Greeter.AskName) }

            working(ledger.client, handlers) { first ->
                working(ledger.client, handlers) { second ->
                    working(ledger.client, handlers) { third ->
                        until("all have come to their end") {
                            listOf(first, second, third).sumOf { it.told.count { told -> told.what == "succeeded" } } == 100
                        }
                    }
                }
            }

            val whole = listOf(
                "AskName -> SayHello",
                "SayHello -> SayHello",
                "SayHello -> SayHello",
                "SayHello -> Leave",
            )
            ids.map { ledger.path(it) }.distinct() shouldContainExactly listOf(whole)
            done.toSet() shouldBe ids.toSet()
            done.size shouldBe 100
        }
    })
