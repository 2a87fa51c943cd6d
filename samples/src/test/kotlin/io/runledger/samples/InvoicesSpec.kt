package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.time.Duration
import java.time.Instant
import java.util.UUID

class InvoicesSpec :
    FunSpec({
        fun TestLedger.status(job: UUID) = client.jobs.get(Scope.global(), job).status()

        test("a greylisted invoice is sent a quarter of an hour later") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val job = Invoices(ledger.client).send("A-1").id()
            val answers = ArrayDeque(listOf(Delivery.GREYLISTED, Delivery.SENT))
            val handlers = invoiceHandlers { answers.removeFirst() }

            ledger.work(handlers)
            ledger.status(job) shouldBe JobStatus.PENDING
            ledger.advance(Duration.ofMinutes(16))
            ledger.work(handlers)

            ledger.status(job) shouldBe JobStatus.SUCCEEDED
        }

        test("an invoice to nobody gives up at once, and says why") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val job = Invoices(ledger.client).send("A-2").id()

            ledger.work(invoiceHandlers { Delivery.NO_SUCH_ADDRESS })

            ledger.client.jobs.deadLetters(Scope.global(), job).items().single().errorCode() shouldBe "mail.no_such_address"
        }

        test("what the policy gives up on is not tried again; everything else is") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val invoices = Invoices(ledger.client)
            val (wrong, unlucky) = invoices.sendAll(listOf("wrong", "unlucky")).map { it.id() }

            ledger.work(invoiceHandlers { if (it == "wrong") throw IllegalArgumentException(it) else error(it) })

            ledger.status(wrong) shouldBe JobStatus.DEAD_LETTERED
            ledger.status(unlucky) shouldBe JobStatus.PENDING
        }

        test("a header and the id of the request go with the job") {
            val ledger = freshLedger()
            val client = correlatedClient(ledger.dataSource) { "r-1" }
            client.definitions.declare(sendInvoice)

            val job = Invoices(client).sendIn("de", "A-4").id()

            client.jobs.get(Scope.global(), job).headers() shouldBe mapOf("locale" to "de", "correlation" to "r-1")
        }

        test("a reminder is one job, however often it is asked for, and comes when it is due") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val invoices = Invoices(ledger.client)
            val dueAt = Instant.now().plus(Duration.ofDays(14))
            val job = invoices.remind("A-3", dueAt).id()
            val sent = mutableListOf<String>()
            val handlers = invoiceHandlers { sent.add(it).let { Delivery.SENT } }

            invoices.remind("A-3", dueAt).id() shouldBe job
            ledger.work(handlers)
            sent shouldContainExactly emptyList()
            ledger.advance(Duration.ofDays(15))
            ledger.work(handlers)

            sent shouldContainExactly listOf("A-3")
        }

        test("an invoice that changes often is sent once, in its last form, when it is final") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val invoices = Invoices(ledger.client)
            val sent = mutableListOf<String>()
            val handlers = invoiceHandlers { sent.add(it).let { Delivery.SENT } }
            val first = invoices.sendWhenFinal("A-5")

            invoices.sendWhenFinal("A-5").disposition() shouldBe Disposition.REPLACED
            ledger.work(handlers)
            sent shouldContainExactly emptyList()
            ledger.advance(Duration.ofMinutes(2))
            ledger.work(handlers)

            sent shouldContainExactly listOf("A-5")
            invoices.sendOnce("A-5").id() shouldNotBe first.id()
        }

        test("an invoice that does not become final is sent ten minutes after its first change") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val invoices = Invoices(ledger.client)
            val sent = mutableListOf<String>()
            val handlers = invoiceHandlers { sent.add(it).let { Delivery.SENT } }
            invoices.sendWhenFinal("A-7")
            ledger.advance(Duration.ofSeconds(570))

            invoices.sendWhenFinal("A-7").disposition() shouldBe Disposition.REPLACED
            ledger.work(handlers)
            sent shouldContainExactly emptyList()
            ledger.advance(Duration.ofSeconds(31))
            ledger.work(handlers)

            sent shouldContainExactly listOf("A-7")
        }

        test("an invoice is sent once an hour, and a window ends when its time has passed") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(sendInvoice)
            val invoices = Invoices(ledger.client)
            val first = invoices.sendAtMostHourly("A-6").id()
            ledger.work(invoiceHandlers { Delivery.SENT })

            invoices.sendAtMostHourly("A-6").id() shouldBe first
            ledger.advance(Duration.ofMinutes(61))
            invoices.sendAtMostHourly("A-6").id() shouldNotBe first
        }
    })
