package io.runledger.samples

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.handlers
import io.runledger.model.error.ActionRepeatedException
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import java.time.Duration

class OnCallSpec :
    FunSpec({
        val down = handlers { on(sendInvoice) { JobOutcome.failed("mail.down", "The mail server is gone.") } }

        test("what gave up is listed with its reason, repaired and sent") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val onCall = OnCall(ledger.client)
            val job = Invoices(ledger.client).send("A-l").id()
            ledger.work(invoiceHandlers { Delivery.NO_SUCH_ADDRESS })

            onCall.deadLetters().single() shouldContain "mail.no_such_address The address does not exist."
            onCall.overview() shouldContain "invoices.send: 0 waiting, 0 running, 1 dead letters in the last 5 minutes"
            onCall.repair(job, sendInvoice, SendInvoice("A-1"), "A typing error.")
            ledger.work(invoiceHandlers { if (it == "A-1") Delivery.SENT else Delivery.NO_SUCH_ADDRESS })

            ledger.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.SUCCEEDED
            onCall.deadLetters().shouldBeEmpty()
        }

        test("after an outage everything it took is done again") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            Invoices(ledger.client).sendAll(List(700) { "A-$it" })
            ledger.work(down)

            OnCall(ledger.client).requeueAfterOutage("mail.down") shouldBe 700

            ledger.work(invoiceHandlers { Delivery.SENT }).finished shouldBe 700
        }

        test("an action names its operator, is refused with its key, and is undone") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val onCall = OnCall(ledger.client)
            val job = Invoices(ledger.client).send("A-1").id()

            onCall.cancel("dana", "ticket 7", job, "duplicate order")
            shouldThrow<ActionRepeatedException> { onCall.cancel("dana", "ticket 7", job, "duplicate order") }

            onCall.whoChanged(job) shouldBe listOf("dana: job.cancel, 1 changed, duplicate order")
            onCall.running().shouldBeEmpty()
            onCall.undoLast("dana", "it was no duplicate") shouldBe "1 restored, 0 had moved on"
            ledger.work(invoiceHandlers { Delivery.SENT }).finished shouldBe 1
        }

        test("dead letters with one cause are one group, which is requeued after a look at its size") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val onCall = OnCall(ledger.client)
            Invoices(ledger.client).sendAll(List(20) { "A-$it" })
            ledger.work(handlers { on(sendInvoice) { JobOutcome.failed("mail.down", "No answer to ${it.payload().invoice}.") } })

            onCall.causes().single() shouldContain "20 invoices.send since"
            onCall.causes().single() shouldContain "mail.down No answer to A-<number>."
            onCall.pulse().last() shouldBe "20 times mail.down of invoices.send"
            val cause = ledger.client.jobs.deadLetterCauses(Scope.everything()).causes().single()
            shouldThrow<IllegalStateException> { onCall.requeue(cause.selection(), most = 10) }
            onCall.requeue(cause.selection(), most = 20) shouldBe 20

            onCall.causes().shouldBeEmpty()
        }

        test("a stopped type waits, and says so, until it goes on") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val onCall = OnCall(ledger.client)
            val job = Invoices(ledger.client).send("A-1").id()
            onCall.stop("invoices.send")

            ledger.work(invoiceHandlers { Delivery.SENT }).finished shouldBe 0
            onCall.why(job).first() shouldContain "paused"
            onCall.goOn("invoices.send")

            ledger.work(invoiceHandlers { Delivery.SENT }).finished shouldBe 1
        }

        test("what ended long ago is forgotten, what is young stays") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            Invoices(ledger.client).sendAll(listOf("A-1", "A-2"))
            ledger.work(invoiceHandlers { Delivery.SENT })

            OnCall(ledger.client).tidyUp(Duration.ofDays(30)) shouldBe 0
            OnCall(ledger.client).tidyUp(Duration.ZERO) shouldBe 2
        }
    })
