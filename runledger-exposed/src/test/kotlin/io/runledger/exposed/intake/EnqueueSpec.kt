package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CompletableFuture

class EnqueueSpec :
    FunSpec({
        test("what the request leaves out comes from the definition and is frozen") {
            val ledger = freshLedger()
            ledger.run(
                "INSERT INTO runledger.job_definitions (job_type, max_attempts, default_timeout_seconds, default_priority) VALUES ('mail', 3, 60, 7)",
            )

            ledger.enqueue()
            ledger.run("UPDATE runledger.job_definitions SET max_attempts = 9, default_priority = 1")
            ledger.enqueue { maxAttempts(5).timeout(Duration.ofSeconds(90)).priority(-2) }

            ledger.rows(
                "SELECT max_attempts, timeout_seconds, priority, stage, status FROM runledger.job_queue ORDER BY id",
            ) shouldContainExactly
                listOf("3|60|7|queued|PENDING", "5|90|-2|queued|PENDING")
        }

        test("a delay counts from the database's clock, a time is kept to the microsecond") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue { delay(Duration.ofMinutes(5)) }
            ledger.enqueue { runAt(Instant.parse("2030-01-01T00:00:00.123456789Z")) }

            ledger.rows("SELECT next_run_at - created_at FROM runledger.job_queue ORDER BY id LIMIT 1") shouldContainExactly
                listOf("00:05:00")
            ledger.value("SELECT next_run_at AT TIME ZONE 'UTC' FROM runledger.job_queue ORDER BY id DESC LIMIT 1") shouldBe
                "2030-01-01 00:00:00.123456"
        }

        test("a keyed job stores its canonical request") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.client.jobs.enqueue(
                JobRequest.builder("mail", Json.of("""{"to":"ada"}""")).idempotencyKey("k").priority(5).maxAttempts(3)
                    .timeout(
                        Duration.ofSeconds(60),
                    ).runAt(Instant.parse("2026-05-22T10:30:45Z")).stage(JobStage.SCHEDULED).build(),
            )
            ledger.enqueue { idempotencyKey("plain") }

            ledger.value(
                """
            SELECT enqueue_request = '{"payload": {"to": "ada"}, "priority": 5, "max_attempts": 3, "timeout_seconds": 60,
                "next_run_at": "2026-05-22T10:30:45.000000Z", "stage": "scheduled"}'::jsonb
            FROM runledger.job_queue WHERE idempotency_key = 'k'
            """,
            ) shouldBe "t"
            ledger.value(
                """
            SELECT enqueue_request = '{"payload": {}, "priority": null, "max_attempts": null, "timeout_seconds": null,
                "next_run_at": null, "stage": "queued"}'::jsonb
            FROM runledger.job_queue WHERE idempotency_key = 'plain'
            """,
            ) shouldBe "t"
        }

        test("the same request under the same key gives the existing job, numbers and member order aside") {
            val ledger = freshLedger().apply { define("mail") }
            fun enqueue(payload: String) =
                ledger.client.jobs.enqueue(JobRequest.builder("mail", Json.of(payload)).idempotencyKey("k").build())
            val first = enqueue("""{"n":1700000000000000000,"s":"x"}""")

            val again = enqueue("""{"s":"x","n":1.7e18}""")

            first.isNew shouldBe true
            again.id() shouldBe first.id()
            again.disposition() shouldBe Disposition.EXISTING
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
        }

        test("a keyed retry finds a finished job too, and one whose type was disabled since") {
            val ledger = freshLedger().apply { define("mail") }
            val first = ledger.enqueue { idempotencyKey("k") }
            ledger.settle(ledger.claim().single(), Verdict.Succeed(null))
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")

            val again = ledger.enqueue { idempotencyKey("k") }

            again.id() shouldBe first.id()
            again.status() shouldBe JobStatus.SUCCEEDED
        }

        test("any difference under the same key is a conflict that shows no key") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue { idempotencyKey("secret-key") }

            listOf<JobRequest.Builder.() -> Unit>(
                { stage(JobStage.SCHEDULED) },
                { priority(100) },
                { runAt(Instant.EPOCH) },
                { delay(Duration.ZERO) },
                { retryPolicy(RetryPolicy.standard()) },
            ).forEach { change ->
                val refusal = shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_CONFLICT) {
                    ledger.enqueue {
                        idempotencyKey("secret-key")
                        change()
                    }
                }
                refusal.message!! shouldNotContain "secret-key"
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
        }

        test("a key belongs to its type and organization; global is one of its own") {
            val ledger = freshLedger().apply { define("mail", "crawl") }
            val acme = UUID.randomUUID()

            val ids = listOf(
                ledger.enqueue { idempotencyKey("k") },
                ledger.enqueue("crawl") { idempotencyKey("k") },
                ledger.enqueue { idempotencyKey("k").organization(acme) },
                ledger.enqueue { idempotencyKey("k").organization(UUID.randomUUID()) },
                ledger.enqueue { idempotencyKey("k").organization(acme) },
            ).map { it.id() }

            ids.toSet() shouldHaveSize 4
            ids[4] shouldBe ids[2]
        }

        test("a type that is unknown or disabled is refused and nothing of the batch is written") {
            val ledger = freshLedger().apply { define("mail", "off") }
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = 'off'")

            listOf("off", "unknown", "'; DROP TABLE runledger.job_queue; --").forEach { type ->
                shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) {
                    ledger.client.jobs.enqueueAll(listOf("mail", type).map { JobRequest.builder(it, Json.NULL).build() })
                }
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
        }

        test("a payload beyond the limit is refused, one at the limit is not") {
            val ledger = freshLedger().apply { define("mail") }
            val client = RunledgerClient.builder(ledger.dataSource).maxPayloadBytes(10).build()

            client.jobs.enqueue(JobRequest.builder("mail", Json.of("\"éééé\"")).build())
            shouldRefuse(ErrorCode.PAYLOAD_TOO_LARGE) {
                client.jobs.enqueue(JobRequest.builder("mail", Json.of("\"ééééé\"")).build())
            }
        }

        test("10,000 jobs in one call come back in order, with what was there already marked") {
            val ledger = freshLedger().apply { define("mail") }
            val existing = ledger.enqueue { idempotencyKey("k500") }

            val answers = ledger.client.jobs.enqueueAll(
                List(10_000) {
                    JobRequest.builder("mail", Json.EMPTY_OBJECT).apply {
                        if (it % 2 == 0) {
                            idempotencyKey("k$it")
                        }
                    }.build()
                },
            )

            answers shouldHaveSize 10_000
            answers[500].id() shouldBe existing.id()
            answers.count { it.isNew } shouldBe 9_999
            ledger.rows("SELECT idempotency_key FROM runledger.job_queue WHERE id = '${answers[4242].id()}'") shouldContainExactly
                listOf("k4242")
        }

        test("a key twice in one call is one job") {
            val ledger = freshLedger().apply { define("mail") }
            val request = JobRequest.builder("mail", Json.EMPTY_OBJECT).idempotencyKey("k").build()

            val (one, two) = ledger.client.jobs.enqueueAll(listOf(request, request))

            one.id() shouldBe two.id()
            setOf(one.isNew, two.isNew) shouldBe setOf(true, false)
        }

        test("racing enqueues under one key make one job, and crossing batches do not deadlock") {
            val ledger = freshLedger().apply { define("mail") }
            val keys = List(20) { "k$it" }

            repeat(25) { round ->
                val ids = racing(8) { thread ->
                    val order = if (thread % 2 == 0) keys else keys.reversed()
                    ledger.client.jobs.enqueueAll(
                        order.map { JobRequest.builder("mail", Json.EMPTY_OBJECT).idempotencyKey("$round-$it").build() },
                    ).map { it.id() }.toSet()
                }
                ids.toSet() shouldHaveSize 1
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "500"
        }

        test("an enqueue waits for a disable in progress and is then refused") {
            val ledger = freshLedger().apply { define("mail") }
            val enqueue = ledger.dataSource.connection.use { disabling ->
                disabling.autoCommit = false
                disabling.createStatement().use {
                    it.execute("SELECT FROM runledger.job_definitions WHERE job_type = 'mail' FOR UPDATE")
                    it.execute("UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = 'mail'")
                }
                val enqueue = CompletableFuture.supplyAsync { runCatching { ledger.enqueue() }.exceptionOrNull() }
                ledger.awaitLockWait()
                enqueue.isDone shouldBe false
                disabling.commit()
                enqueue
            }

            (enqueue.get() as RunledgerException).code() shouldBe ErrorCode.DEFINITION_UNAVAILABLE
        }

        test("one job costs one statement, and a key that is in use two more") {
            val ledger = freshLedger().apply { define("mail") }
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            fun enqueue(key: String?) =
                client.jobs.enqueue(JobRequest.builder("mail", Json.NULL).apply { key?.let(::idempotencyKey) }.build())
            enqueue(null)

            counting.count { enqueue(null).isNew shouldBe true } shouldBe 1
            counting.count { enqueue("k").isNew shouldBe true } shouldBe 1
            counting.count { enqueue("k").isNew shouldBe false } shouldBe 3
        }

        test("1,000 jobs cost at most three statements") {
            val ledger = freshLedger().apply { define("mail") }
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.jobs.enqueue(JobRequest.builder("mail", Json.NULL).build())

            counting.count { client.jobs.enqueueAll(List(1_000) { JobRequest.builder("mail", Json.NULL).build() }) } shouldBe 1
            counting.count {
                client.jobs.enqueueAll(
                    List(1_000) {
                        JobRequest.builder("mail", Json.NULL).idempotencyKey("k${it % 999}").build()
                    },
                )
            } shouldBeLessThanOrEqual 3
        }

        test("a job's own retry policy is stored as readable JSON") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue { retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(3))) }

            ledger.value("SELECT retry_policy ->> 'backoff' FROM runledger.job_queue") shouldBe "fixed"
            ledger.claim().single().retryPolicy() shouldNotBe null
        }
    })
