package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withTimeout
import kotlin.time.Duration.Companion.minutes

private val print = jobType<String>("labels.print")

class DeployWindowSpec :
    FunSpec({
        test("nothing of the region runs during the change, the other region goes on, and then everything does") {
            val ledger = freshLedger()
            val client = ledger.client
            client.definitions.declare(print)
            val window = DeployWindow(client)
            val printed = List(3) { CompletableDeferred<String>() }
            fun printer(region: String) = handlers { on(print) { job -> printed[job.payload().toInt()].complete(region) } }
            val europe = autoClose(regionalWorker(client, printer("eu"), "eu", "4.1"))
            client.jobs.enqueue(print, "0")
            printed[0].await() shouldBe "eu"

            window.during("eu", "Deploy 4.2") {
                window.overview().single() shouldContain "[eu] 4.1: drained, 0 of 32"
                val waiting = client.jobs.enqueue(print, "1").id()
                window.during("eu", "Patch") {}
                client.workers.standingOrders().map { it.reason() } shouldContainExactly listOf("Deploy 4.2 begins")
                client.jobs.get(Scope.global(), waiting).status() shouldBe JobStatus.PENDING
            }
            withTimeout(1.minutes) { printed[1].await() } shouldBe "eu"
            client.workers.orders(10).items().map { it.reason() to it.lifted()?.reason() } shouldContainExactly
                listOf("Patch begins" to "Patch is over", "Deploy 4.2 begins" to "Deploy 4.2 is over")

            client.workers.drain(WorkerSelection.all(), "Forgotten.")
            window.allGoOn("Nobody needs it.") shouldBe 1
            autoClose(regionalWorker(client, printer("us"), "us", "4.2"))
            window.retire("eu", "4.2 is out") shouldHaveSize 1
            withTimeout(1.minutes) { europe.ended().await() }.stopOrder?.reason() shouldBe "4.2 is out"
            client.jobs.enqueue(print, "2")
            withTimeout(1.minutes) { printed[2].await() } shouldBe "us"
            client.workers.standingOrders().shouldBeEmpty()
        }
    })
