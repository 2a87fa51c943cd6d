package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import javax.sql.DataSource
import kotlin.time.Duration.Companion.minutes

data class Mail(val to: String)
data class Sent(val messageId: String)

val sendMail: JobType<Mail> = JobType.of("mail.send", Mail::class.java)
val bookPayment: JobType<Int> = JobType.of("payment.book", Int::class.javaObjectType)

private class MailServer {
    suspend fun send(mail: Mail): String? = if (mail.to.isEmpty()) null else "<1@${mail.to}>"
}

private class Pager : WorkerObserver {
    val calls = CopyOnWriteArrayList<String>()

    fun call(what: String) = calls.add(what)

    override fun deadLettered(job: ObservedJob, failure: JobFailure, reason: DeadLetterReason) {
        call("$job gave up: ${failure.code()}")
    }
}

private class Tickets {
    val opened = CompletableDeferred<String>()

    fun open(key: String, text: String?) = check(opened.complete(key)) { "There is a ticket already: $text" }
}

private fun mailHandlers(server: MailServer): Handlers = handlers {
    on(sendMail) { job ->
        val id = server.send(job.payload()) ?: return@on JobOutcome.failed("mail.no_address", "The mail has no address.")
        Sent(id)
    }
}

private fun paymentHandlers(dataSource: DataSource): Handlers = handlers {
    blocking(bookPayment) { job ->
        dataSource.connection.use { connection ->
            connection.autoCommit = false
            connection.prepareStatement("INSERT INTO payments (amount) VALUES (?)").use {
                it.setInt(1, job.payload())
                it.executeUpdate()
            }
            job.settleIn(connection)
            connection.commit()
        }
        JobOutcome.succeeded()
    }
}

private suspend fun timed(job: JobContext<*>, next: suspend () -> JobOutcome, note: (String) -> Unit): JobOutcome {
    val start = System.nanoTime()
    return next().also { note("${job.jobType()} ${it.kind()} in ${System.nanoTime() - start} ns") }
}

private suspend fun serveUntilCancelled(client: RunledgerClient, server: MailServer, serve: suspend () -> Unit) {
    coroutineScope {
        val worker = RunledgerWorker.builder(client)
            .handlers(mailHandlers(server))
            .config { it.maxConcurrency(500).typeLimit(sendMail, 50).shutdownGrace(Duration.ofSeconds(20)) }
            .build()
        val work = launch { worker.run() }
        serve()
        work.cancel()
    }
}

/** The code of `docs/workers.md`, run. */
class WorkerGuideSpec :
    FunSpec({
        test("a worker in the caller's scope sends mail") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(sendMail))
            val id = ledger.client.jobs.enqueue(sendMail, Mail("ada@example.org")).id()

            serveUntilCancelled(ledger.client, MailServer()) {
                while (!ledger.job(id).isTerminal) yield()
            }

            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
        }

        test("an observer hears of dead letters, an interceptor times handlers") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(sendMail))
            val pager = Pager()
            val noted = CompletableDeferred<String>()
            val id = ledger.client.jobs.enqueue(sendMail, Mail("")).id()

            val worker = RunledgerWorker.builder(ledger.client)
                .handlers(mailHandlers(MailServer()))
                .observe(pager)
                .intercept { job, next -> timed(job, next) { noted.complete(it) } }
                .start()
            noted.await().startsWith("mail.send FAILED") shouldBe true
            while (!ledger.job(id).isTerminal) yield()
            worker.close()

            pager.calls.single().endsWith("gave up: mail.no_address") shouldBe true
        }

        test("a dead letter is handed to whoever must not miss it") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(sendMail))
            val tickets = Tickets()
            val id = ledger.client.jobs.enqueue(sendMail, Mail("")).id()

            val worker = RunledgerWorker.builder(ledger.client)
                .handlers(mailHandlers(MailServer()))
                .onDeadLetter("tickets") { letter ->
                    tickets.open(key = "${letter.jobId()}/${letter.runNumber()}", text = letter.errorMessage())
                }
                .start()
            withTimeout(1.minutes) { tickets.opened.await() } shouldBe "$id/1"
            worker.close()
        }

        test("a payment and its job's success are committed together") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(bookPayment))
            ledger.run("CREATE TABLE payments (amount int NOT NULL)")
            val id = ledger.client.jobs.enqueue(bookPayment, 10).id()

            working(ledger.client, paymentHandlers(ledger.pool)) { it.await("succeeded", id) }

            ledger.value("SELECT count(*) FROM payments") shouldBe "1"
        }
    })
