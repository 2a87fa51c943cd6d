package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ListJobsSpec :
    FunSpec({
        fun TestLedger.ids(query: JobQuery) = client.jobs.list(Scope.everything(), query).items().map { it.id() }

        fun TestLedger.ids(change: JobQuery.Builder.() -> Unit) = ids(JobQuery.builder().apply(change).build())

        test("pages follow each other, newest first, and the last one says so") {
            val ledger = freshLedger().define("t")
            val newestFirst = List(7) { ledger.enqueue() }.reversed()
            val query = JobQuery.builder().limit(3).build()

            val pages = generateSequence(ledger.client.jobs.list(Scope.global(), query)) { page ->
                page.next()?.let { ledger.client.jobs.list(Scope.global(), query.after(it)) }
            }.toList()

            pages.map { page -> page.items().map { it.id() } } shouldContainExactly newestFirst.chunked(3)
            pages.map { it.hasNext() } shouldContainExactly listOf(true, true, false)
        }

        test("a full last page has no next") {
            val ledger = freshLedger().define("t")
            repeat(2) { ledger.enqueue() }

            ledger.client.jobs.list(Scope.global(), JobQuery.builder().limit(2).build()).next().shouldBeNull()
        }

        test("a cursor outlives its job, and jobs that come or go between pages neither repeat nor hide others") {
            val ledger = freshLedger().define("t")
            val ids = List(6) { ledger.enqueue() }.reversed()
            val query = JobQuery.builder().limit(2).build()
            val cursor = ledger.client.jobs.list(Scope.global(), query).next().shouldNotBeNull()

            ledger.run("DELETE FROM runledger.job_queue WHERE id IN ('${ids[1]}', '${ids[2]}')")
            ledger.enqueue()

            ledger.ids(query.after(cursor)) shouldContainExactly listOf(ids[3], ids[4])
        }

        test("types are exact: wildcards and case mean themselves") {
            val ledger = freshLedger().define("mail", "mail%", "m_il", "MAIL")
            val byType = listOf("mail", "mail%", "m_il", "MAIL").associateWith { ledger.enqueue(it) }

            byType.forEach { (type, id) -> ledger.ids { jobTypes(listOf(type)) } shouldContainExactly listOf(id) }
            ledger.ids { jobTypes(listOf("mail", "MAIL")) } shouldContainExactly listOf(byType["MAIL"], byType["mail"])
            ledger.ids { jobTypes(listOf("%")) }.shouldBeEmpty()
        }

        test("statuses narrow, one or several") {
            val ledger = freshLedger().define("t")
            val (canceled, leased, pending) = List(3) { ledger.enqueue() }
            ledger.settle(ledger.claim(), Verdict.Cancel("no"))
            ledger.claim()

            ledger.ids { statuses(JobStatus.CANCELED) } shouldContainExactly listOf(canceled)
            ledger.ids { statuses(JobStatus.PENDING, JobStatus.LEASED) } shouldContainExactly listOf(pending, leased)
            ledger.ids { statuses(JobStatus.DEAD_LETTERED) }.shouldBeEmpty()
        }

        test("a payload is matched by the members it must contain") {
            val ledger = freshLedger().define("t")
            val match = ledger.enqueue(payload = """{"tags": ["a", "b"], "customer": 42, "note": "x"}""")
            ledger.enqueue(payload = """{"tags": ["b"], "customer": 42}""")
            ledger.enqueue(payload = "[1]")

            ledger.ids { payloadContaining(Json.of("""{"customer": 42, "tags": ["a"]}""")) } shouldContainExactly listOf(match)
        }

        test("times bound from an instant on, up to another and without it") {
            val ledger = freshLedger().define("t")
            val ids = List(3) { ledger.enqueue() }
            // By the database's clock alone, half a day from what the ids say: clocks may differ.
            val shown = ids.map { ledger.client.jobs.get(Scope.everything(), it).createdAt() }
            ids.forEachIndexed { n, id ->
                ledger.run(
                    "UPDATE runledger.job_queue SET created_at = '${shown[0].plusSeconds(n * 3_600L + 43_200)}' WHERE id = '$id'",
                )
            }
            val first = shown[0].plusSeconds(43_200)

            ledger.ids { createdSince(first.plusSeconds(3_600)) } shouldContainExactly listOf(ids[2], ids[1])
            ledger.ids { createdBefore(first.plusSeconds(3_600)) } shouldContainExactly listOf(ids[0])
            ledger.ids {
                createdSince(first.plusSeconds(1))
                createdBefore(first.plusSeconds(7_200))
            } shouldContainExactly listOf(ids[1])
            ledger.ids { createdBefore(Instant.MIN) }.shouldBeEmpty()
            ledger.ids { createdSince(Instant.MIN) }.size shouldBe 3
            ledger.ids { createdBefore(Instant.MAX) }.size shouldBe 3
        }

        test("a code of the last failure narrows, page by page, with the other conditions") {
            val ledger = freshLedger().define("t", "u")
            val broken = Verdict.DeadLetter(
                JobFailure.terminal("test.down", "Down."),
                DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
            )
            val other = Verdict.DeadLetter(
                JobFailure.terminal("test.other", "Other."),
                DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
            )
            val later = Verdict.Retry(JobFailure.retryable("test.down", "Down."), Duration.ofDays(1), null)
            val (dead, waiting, _, canceled) = listOf(broken, later, other, later).map { verdict ->
                ledger.enqueue().also { ledger.settle(ledger.claim(), verdict) }
            }
            ledger.client.jobs.cancel(Scope.everything(), canceled)
            ledger.enqueue()

            ledger.ids { errorCode("test.down") } shouldContainExactly listOf(canceled, waiting, dead)
            ledger.ids { errorCode("test.down").statuses(JobStatus.DEAD_LETTERED, JobStatus.PENDING) } shouldContainExactly
                listOf(waiting, dead)
            ledger.ids { errorCode("test.down").statuses(JobStatus.SUCCEEDED) }.shouldBeEmpty()
            ledger.ids { errorCode("test.down").jobTypes(listOf("u")) }.shouldBeEmpty()
            ledger.ids { errorCode("down") }.shouldBeEmpty()
            val first = ledger.client.jobs.list(Scope.global()) { it.errorCode("test.down").limit(2) }
            first.items().map { it.lastErrorCode() } shouldContainExactly listOf("test.down", "test.down")
            ledger.ids { errorCode("test.down").after(first.next()) } shouldContainExactly listOf(dead)
            ledger.client.jobs.list(Scope.organization(UUID(1, 1))) { it.errorCode("test.down") }.items().shouldBeEmpty()
        }

        test("an idempotency key finds its jobs, of every type and organization in the scope") {
            val ledger = freshLedger().define("t", "u")
            val first = ledger.enqueue { idempotencyKey("key") }
            val second = ledger.enqueue("u") { idempotencyKey("key") }
            val third = ledger.enqueue { idempotencyKey("key").organization(UUID(1, 1)) }
            ledger.enqueue { idempotencyKey("key 2") }

            ledger.ids { idempotencyKey("key") } shouldContainExactly listOf(third, second, first)
            ledger.ids { idempotencyKey("key").jobTypes(listOf("u")) } shouldContainExactly listOf(second)
            ledger.ids { idempotencyKey("key").errorCode("test.down") }.shouldBeEmpty()
            ledger.ids { idempotencyKey("KEY") }.shouldBeEmpty()
            ledger.client.jobs.list(Scope.organization(UUID(1, 1))) {
                it.idempotencyKey("key")
            }.items().map { it.id() } shouldContainExactly
                listOf(third)
        }

        test("a summary is small: no JSON, no error message") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { organization(UUID(1, 1)) }

            val summary = ledger.client.jobs.list(Scope.everything()).items().single()

            val job = ledger.client.jobs.get(Scope.everything(), id)
            summary.id() shouldBe id
            summary.organizationId() shouldBe UUID(1, 1)
            summary.createdAt() shouldBe job.createdAt()
            summary.nextRunAt() shouldBe job.nextRunAt()
            summary.maxAttempts() shouldBe job.maxAttempts()
        }
    })
