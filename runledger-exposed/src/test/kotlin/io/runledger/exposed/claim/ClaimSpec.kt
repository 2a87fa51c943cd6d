package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import java.time.Duration
import java.time.Instant

class ClaimSpec :
    FunSpec({
        fun TestLedger.claimOneByOne(vararg types: String) =
            generateSequence { claim(*types, limit = 1).firstOrNull() }.map { it.lease().jobId() }.toList()

        test("highest priority first, then the longest due, then the oldest; across types") {
            val ledger = freshLedger().apply { define("mail", "crawl") }
            val past = Instant.parse("2026-01-01T00:00:00Z")
            val late = ledger.enqueue { runAt(past.plusSeconds(60)) }
            val urgent = ledger.enqueue("crawl") { priority(200) }
            val early = ledger.enqueue("crawl") { runAt(past) }
            val low = ledger.enqueue { priority(1).runAt(past) }
            val first = ledger.enqueue { runAt(past.plusSeconds(30)) }
            val second = ledger.enqueue { runAt(past.plusSeconds(30)) }

            ledger.claimOneByOne("mail", "crawl") shouldContainExactly
                listOf(urgent, early, first, second, late, low).map { it.id() }
        }

        test("one claim of many takes exactly what claims of one would take") {
            val ledger = freshLedger().apply { define("a", "b", "c") }
            repeat(60) {
                ledger.enqueue("abc"[it % 3].toString()) { priority(it % 4).runAt(Instant.EPOCH.plusSeconds((it * 37L) % 11)) }
            }
            val expected = ledger.rows(
                "SELECT id FROM runledger.job_queue ORDER BY priority DESC, next_run_at, id LIMIT 25",
            )

            ledger.claim("a", "b", "c", limit = 25).map { it.lease().jobId().toString() } shouldContainExactlyInAnyOrder expected
        }

        test("a job whose time has not come, of a foreign type or of a paused one stays") {
            val ledger = freshLedger().apply { define("mail", "crawl", "paused") }
            ledger.enqueue { delay(Duration.ofHours(1)) }
            ledger.enqueue("crawl")
            ledger.enqueue("paused")
            ledger.run("UPDATE runledger.job_definitions SET is_paused = true WHERE job_type = 'paused'")

            ledger.claim("mail", "paused", "unknown").shouldBeEmpty()
            ledger.client.leases.claim(ClaimRequest.of(emptyList(), "w", lease, 1)).shouldBeEmpty()
        }

        test("a row that somebody inserted by hand is claimed as any other") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.run("INSERT INTO runledger.job_queue (job_type, max_attempts, payload) VALUES ('mail', 3, '[\"Ada\"]')")

            ledger.claim().single().payload() shouldBe Json.of("[\"Ada\"]")
            ledger.client.verify().isSound shouldBe true
        }

        test("a disabled type still drains") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue()
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")

            ledger.claim() shouldHaveSize 1
        }

        test("a claim is the open attempt: worker, lease, start, and nothing in the ledger yet") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue()

            val job = ledger.claim(worker = "w7").single()

            job.lease().attempt() shouldBe 1
            job.lease().runNumber() shouldBe 1
            Duration.between(job.leasedAt(), job.leaseExpiresAt()) shouldBe lease
            ledger.value(
                """
            SELECT status, attempt, worker_id, lease_id = '${job.lease().leaseId()}', started_at = leased_at, claim_origin
            FROM runledger.job_queue
            """,
            ) shouldBe "LEASED|1|w7|t|t|DIRECT"
            ledger.value("SELECT count(*) FROM runledger.job_attempts") shouldBe "0"
            ledger.rows("SELECT event_type FROM runledger.job_events ORDER BY id") shouldContainExactly
                listOf("ENQUEUED", "LEASED")
        }

        test("every claim draws a new lease id") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue()
            val first = ledger.claim().single().lease()
            ledger.run("UPDATE runledger.job_queue SET status = 'PENDING', lease_id = NULL, worker_id = NULL, attempt = 0")

            val second = ledger.claim().single().lease()

            second.leaseId() shouldNotBe first.leaseId()
        }

        test("racing workers lease every job exactly once and nobody waits") {
            val ledger = freshLedger().apply { define("mail", "crawl") }
            val jobs = ledger.client.jobs.enqueueAll(
                List(2_000) { JobRequest.builder(if (it % 3 == 0) "crawl" else "mail", Json.NULL).priority(it % 2).build() },
            ).map { it.id() }

            val claimed = racing(8) { worker ->
                generateSequence { ledger.claim("mail", "crawl", limit = 25, worker = "w$worker").ifEmpty { null } }
                    .flatten().map { it.lease().jobId() }.toList()
            }.flatten()

            claimed shouldContainExactlyInAnyOrder jobs
        }

        test("a claim of 100 is one statement") {
            val ledger = freshLedger().apply { define("mail") }
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.jobs.enqueueAll(List(200) { JobRequest.builder("mail", Json.NULL).build() })
            client.leases.claim(ClaimRequest.of(listOf("mail"), "w", lease, 100))

            counting.count { client.leases.claim(ClaimRequest.of(listOf("mail"), "w", lease, 100)) shouldHaveSize 100 } shouldBe 1
        }

        test("a lease under a second, a blank worker and a limit of zero are refused before the database is asked") {
            shouldRefuse(ErrorCode.INVALID_LEASE_DURATION) { ClaimRequest.of(listOf("mail"), "w", Duration.ZERO, 1) }
            shouldRefuse(ErrorCode.INVALID_LEASE_DURATION) { ClaimRequest.of(listOf("mail"), "w", Duration.ofSeconds(-1), 1) }
            shouldRefuse(ErrorCode.INVALID_WORKER_ID) { ClaimRequest.of(listOf("mail"), " ", lease, 1) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ClaimRequest.of(listOf("mail"), "w", lease, 0) }
        }
    })
