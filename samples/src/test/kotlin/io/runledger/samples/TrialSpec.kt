package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.test.CrashPoints
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue

class TrialDeskForTests(private val payers: Set<String> = emptySet(), private val isBroken: Boolean = false) : TrialDesk {
    val done = ConcurrentLinkedQueue<String>()

    override fun write(customer: String, letter: String) {
        done += letter
    }

    override fun hasPaid(customer: String): Boolean {
        check(!isBroken) { "the bank does not answer" }
        return customer in payers
    }

    override fun close(customer: String) {
        done += "closed"
    }
}

class TrialSpec :
    FunSpec({
        val week = Duration.ofDays(7)

        fun TestLedger.path(id: UUID) = client.jobs.path(Scope.global(), id).map { "$it" }

        fun TestLedger.output(id: UUID) = client.jobs.get(Scope.global(), id).output()

        test("a trial that nobody pays for is closed after two reminders, and its path can be read") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(trial)
            val desk = TrialDeskForTests()
            val id = ledger.client.jobs.enqueue(trial, Trial.Welcome("ada")).id()

            ledger.work(trials(desk))
            repeat(3) {
                ledger.advance(week)
                ledger.work(trials(desk))
            }

            desk.done.toList() shouldContainExactly listOf("welcome", "reminder", "reminder", "closed")
            ledger.output(id) shouldBe Json.of("\"left\"")
            ledger.path(id) shouldContainExactly
                listOf("Welcome -> Remind", "Remind -> Remind", "Remind -> Remind", "Remind -> Close")
            ledger.client.verify().isSound shouldBe true
        }

        test("a trial that is paid for ends there") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(trial)
            val id = ledger.client.jobs.enqueue(trial, Trial.Welcome("ada")).id()

            ledger.work(trials(TrialDeskForTests()))
            ledger.advance(week)
            ledger.work(trials(TrialDeskForTests(payers = setOf("ada"))))

            ledger.output(id) shouldBe Json.of("\"stayed\"")
        }

        test("a person sends a trial that is parked to another stage") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(trial)
            val id = ledger.client.jobs.enqueue(trial, Trial.Remind("ada")).id()
            repeat(3) {
                ledger.work(trials(TrialDeskForTests(isBroken = true)))
                ledger.advance(Duration.ofMinutes(5))
            }
            ledger.client.jobs.get(Scope.global(), id).status() shouldBe JobStatus.DEAD_LETTERED

            decide(ledger.client, id, Trial.Close("ada"), "She wrote to us.")
            ledger.work(trials(TrialDeskForTests()))

            ledger.output(id) shouldBe Json.of("\"left\"")
        }

        test("wherever its process dies, a trial goes on at the step it had reached") {
            lateinit var id: UUID
            val points = CrashPoints.of { ledger ->
                ledger.client.definitions.declare(trial)
                id = ledger.client.jobs.enqueue(trial, Trial.Remind("ada", letters = 2)).id()
            }.handlers { trials(TrialDeskForTests()) }.check { ledger ->
                ledger.client.jobs.get(Scope.global(), id).status() shouldBe JobStatus.SUCCEEDED
                ledger.path(id) shouldContainExactly listOf("Remind -> Close")
            }

            points shouldBeGreaterThan 3
        }
    })
