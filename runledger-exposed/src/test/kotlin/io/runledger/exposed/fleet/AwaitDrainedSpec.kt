package io.runledger.exposed.fleet

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.freshLedger
import io.runledger.exposed.membership
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.until
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import java.time.Duration
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit

private val all = WorkerSelection.all()

class AwaitDrainedSpec :
    FunSpec({
        test("it completes when the last selected worker says that it is drained; lost ones are not waited for, but told") {
            val ledger = freshLedger()
            val client = ledger.client
            val (first, second) = List(2) { client.comes("w$it", "eu") }
            val lost = client.comes("lost", "eu")
            client.comes("other", "us")
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '1 hour' WHERE worker_id = 'lost'")
            val drained = client.workers.awaitDrained(WorkerSelection.labelled("eu"), Duration.ofMinutes(1))

            client.membership.beat(first, WorkerState.DRAINED, 0)
            client.membership.beat(second, WorkerState.DRAINING, 1)
            drained.isDone shouldBe false
            client.membership.beat(second, WorkerState.DRAINED, 0)

            drained.get(1, TimeUnit.MINUTES).map { it.id() to it.isLost } shouldContainExactly
                listOf(lost to true, first to false, second to false)
        }

        test("where nobody is selected it completes at once, with nobody") {
            val client = freshLedger().client
            client.comes("w1", "eu")

            client.workers.awaitDrained(WorkerSelection.labelled("ue"), Duration.ofMinutes(1)).join().shouldBeEmpty()
        }

        test("when time is up it says who is still at work") {
            val client = freshLedger().client
            client.membership.beat(client.comes("w1"), WorkerState.DRAINING, 2)

            val late = shouldThrow<ExecutionException> {
                client.workers.awaitDrained(all, Duration.ZERO).get(1, TimeUnit.MINUTES)
            }.cause as RunledgerException

            late.code() shouldBe ErrorCode.WORKERS_NOT_DRAINED
            late.message.orEmpty() shouldContain "'w1' is DRAINING with 2 jobs"
        }

        test("who cancels it waits no more, and nobody looks any longer") {
            val client = freshLedger().client
            client.comes("w1")
            fun lookers() = Thread.getAllStackTraces().keys.count { it.name == "runledger-await-drained" && it.isAlive }

            client.workers.awaitDrained(all, Duration.ofHours(1)).cancel(true)

            until("nobody looks") { lookers() == 0 }
        }

        test("in a transaction of the caller's there is nothing to wait for: its order binds nobody yet") {
            val ledger = freshLedger()
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.within(connection).workers.awaitDrained(all, beat) }
            }
        }
    })
