package io.runledger.exposed.definition

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.retry.RetryPolicy
import java.sql.Connection
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

class SwitchDefinitionsSpec :
    FunSpec({
        val mail = JobType.json("mail")

        fun TestLedger.enqueue() = client.jobs.enqueue(mail, Json.EMPTY_OBJECT)

        fun TestLedger.joined(work: (Connection) -> Unit) = dataSource.connection.use { connection ->
            connection.autoCommit = false
            work(connection)
        }

        test("an enqueue waits for a disable that is rolled back and then happens") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.joined { connection ->
                ledger.client.within(
                    connection,
                ).definitions.sync(listOf(JobType.builder("mail", Json::class.java).disabled().build()))
                val enqueue = CompletableFuture.supplyAsync { ledger.enqueue() }
                ledger.awaitLockWait()
                connection.rollback()
                enqueue.get().disposition() shouldBe Disposition.INSERTED
            }
        }

        test("a disable waits for an uncommitted enqueue") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.joined { connection ->
                ledger.client.within(connection).jobs.enqueue(mail, Json.EMPTY_OBJECT)
                val disable = CompletableFuture.supplyAsync { ledger.client.definitions.disable("mail") }
                ledger.awaitLockWait()
                connection.commit()
                disable.get().enabled() shouldBe false
            }
        }

        test("a declaration that disables nothing keeps no enqueue waiting") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.joined { connection ->
                val definitions = ledger.client.within(connection).definitions
                definitions.sync(listOf(JobType.builder("mail", Json::class.java).version(2).build())).updated() shouldHaveSize 1
                definitions.pause("mail")
                CompletableFuture.supplyAsync { ledger.enqueue() }.get(1, TimeUnit.MINUTES).disposition() shouldBe
                    Disposition.INSERTED
                connection.commit()
            }
        }

        test("a keyed enqueue still finds its job after its type was disabled") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            val request = JobRequest.builder(mail, Json.EMPTY_OBJECT).idempotencyKey("k").build()
            val first = ledger.client.jobs.enqueue(request)
            ledger.client.definitions.disable("mail")

            val second = ledger.client.jobs.enqueue(request)
            second.disposition() shouldBe Disposition.EXISTING
            second.id() shouldBe first.id()
            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { ledger.enqueue() }
            ledger.client.definitions.enable("mail").enabled() shouldBe true
            ledger.enqueue()
        }

        test("a paused type takes jobs and gives none until it is resumed") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            val claim = ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 5)
            ledger.client.definitions.pause("mail").paused() shouldBe true
            ledger.enqueue()

            ledger.client.leases.claim(claim) shouldHaveSize 0
            ledger.client.definitions.resume("mail").paused() shouldBe false
            ledger.client.leases.claim(claim) shouldHaveSize 1
        }

        test("a disabled type still runs what is queued") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.enqueue()
            ledger.client.definitions.disable("mail")

            ledger.client.leases.claim(ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 5)) shouldHaveSize 1
        }

        test("a change keeps what it does not name, and a change of nothing writes nothing") {
            val ledger = freshLedger()
            val definitions = ledger.client.definitions
            val declared = definitions.declare(mail)
            val policy = RetryPolicy.fixed(Duration.ofSeconds(9))

            val changed = definitions.change("mail", DefinitionChange.builder().maxAttempts(3).retryPolicy(policy).build())
            changed.effective().maxAttempts() shouldBe 3
            changed.effective().timeout() shouldBe declared.effective().timeout()
            changed.effective().priority() shouldBe declared.effective().priority()
            definitions.retryPolicyOf(changed) shouldBe policy
            definitions.change("mail", DefinitionChange.builder().timeout(Duration.ofMillis(1500)).priority(0).build()).let {
                it.effective().timeout() shouldBe Duration.ofSeconds(2)
                it.effective().priority() shouldBe 0
                it.effective().maxAttempts() shouldBe 3
            }

            val row = ledger.value("SELECT ctid, xmin, xmax, updated_at FROM runledger.job_definitions")
            definitions.change("mail", DefinitionChange.builder().maxAttempts(3).retryPolicy(policy).build())
            definitions.enable("mail")
            definitions.resume("mail")
            ledger.value("SELECT ctid, xmin, xmax, updated_at FROM runledger.job_definitions") shouldBe row
        }

        test("an unknown type is refused by every operator's action") {
            val definitions = freshLedger().client.definitions
            listOf<() -> Any>(
                { definitions.enable("x") },
                { definitions.disable("x") },
                { definitions.pause("x") },
                { definitions.resume("x\u0000") },
                { definitions.change("x", DefinitionChange.builder().build()) },
                { definitions.get("x") },
            ).forEach { action -> shouldRefuse(ErrorCode.DEFINITION_NOT_FOUND) { action() } }
            definitions.find("x").shouldBeNull()
        }

        test("types are listed by a part of their name, taken literally") {
            val definitions = freshLedger().client.definitions
            definitions.sync(listOf("mail.send", "mail_x", "Mail.Read", "other").map { JobType.json(it) })

            definitions.list("MAIL").map { it.jobType() }.sorted() shouldContainExactly listOf("Mail.Read", "mail.send", "mail_x")
            definitions.list("l_x").map { it.jobType() } shouldContainExactly listOf("mail_x")
            definitions.list("%") shouldHaveSize 0
            definitions.list() shouldHaveSize 4
        }

        test("a disable in a snapshot that could miss a new schedule is refused, and the caller's transaction goes on") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(mail)
            ledger.joined { connection ->
                connection.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                shouldRefuse(ErrorCode.DEFINITION_ISOLATION) { ledger.client.within(connection).definitions.disable("mail") }
                ledger.client.within(connection).definitions.pause("mail").paused() shouldBe true
                connection.commit()
            }
            ledger.client.definitions.get("mail").let { (it.enabled() to it.paused()) shouldBe (true to true) }
        }
    })
