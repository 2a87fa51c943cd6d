package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.context.Cursor
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.json.Json
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import java.time.Instant
import java.util.UUID
import kotlin.random.Random

/** Lists that end after a number of jobs that they have read, and the order of claims. */
class SearchJobsSpec :
    FunSpec({
        val acme = UUID.fromString("0190c0de-0000-7000-8000-000000000001")

        fun claims(change: JobQuery.Builder.() -> Unit = {}) =
            JobQuery.builder().statuses(JobStatus.PENDING).jobTypes(listOf("t")).order(JobQuery.Order.CLAIM).apply(change).build()

        fun TestLedger.pages(query: JobQuery, scope: Scope = Scope.everything()): List<Page<JobSummary>> =
            generateSequence(client.jobs.list(scope, query)) { page ->
                page.next()?.let { client.jobs.list(scope, query.after(it)) }
            }.toList()

        fun List<Page<JobSummary>>.ids() = flatMap { it.items() }.map { it.id() }

        test("waiting jobs are listed as workers take them: by priority, then by due time, then by id") {
            val ledger = freshLedger().define("t", "u")
            val random = Random(4711)
            val ids = List(60) { n -> ledger.enqueue(if (n % 10 == 9) "u" else "t") }
            ids.forEach { id ->
                ledger.run(
                    "UPDATE runledger.job_queue SET priority = ${listOf(-2, 0, 0, 7).random(random)}, " +
                        "next_run_at = now() + ${random.nextInt(
                            -3,
                            3,
                        )} * interval '1 hour', is_paused = ${random.nextInt(4) == 0} " +
                        "WHERE id = '$id'",
                )
            }
            ledger.run("UPDATE runledger.job_queue SET next_run_at = 'infinity' WHERE id IN ('${ids[3]}', '${ids[4]}')")
            ledger.run("UPDATE runledger.job_queue SET next_run_at = '-infinity' WHERE id IN ('${ids[5]}', '${ids[6]}')")
            val expected = ledger.rows(
                "SELECT id FROM runledger.job_queue WHERE job_type = 't' ORDER BY priority DESC, next_run_at, id",
            ).map { UUID.fromString(it) }
            ledger.value("SELECT count(DISTINCT (is_paused, is_delayed)) FROM runledger.job_queue WHERE job_type = 't'") shouldBe
                "4"

            (1..7).forEach { limit -> ledger.pages(claims { limit(limit) }).ids() shouldContainExactly expected }
            ledger.pages(claims { limit(54) }).map { it.items().size } shouldContainExactly listOf(54)
            val both = ledger.pages(claims { jobTypes(listOf("u", "t")).limit(7) }).flatMap { it.items() }
            both.map { it.jobType() }.toSet() shouldBe setOf("t", "u")
            both.map { it.id() }.toSet() shouldBe ids.toSet()
            both.map { -it.priority() }.shouldBeSorted()
        }

        test("other conditions narrow the order of claims, page by page") {
            val ledger = freshLedger().define("t")
            val own = List(20) { n -> ledger.enqueue(payload = """{"n": ${n % 2}}""") { organization(acme) } }
            List(20) { ledger.enqueue(payload = """{"n": 1}""") }
            val odd = own.filterIndexed { n, _ -> n % 2 == 1 }
            val wanted: JobQuery.Builder.() -> Unit = { payloadContaining(Json.of("""{"n": 1}""")).limit(3) }

            ledger.pages(claims(wanted), Scope.organization(acme)).ids() shouldContainExactly odd
            ledger.pages(claims(wanted), Scope.organization(acme)).dropLast(1).forEach { it.items().size shouldBe 3 }
            val bounded = ledger.pages(claims { wanted().also { maxRead(4) } }, Scope.organization(acme))
            bounded.ids() shouldContainExactly odd
            bounded.count { it.items().size < 3 && it.hasNext() } shouldBeGreaterThan 1
            ledger.pages(claims { wanted().also { createdBefore(Instant.EPOCH) } }, Scope.global()).ids().shouldBeEmpty()
            ledger.pages(claims(), Scope.global()).ids().size shouldBe 20
        }

        test("a page ends after the jobs that it may read, and the next one goes on from there") {
            val ledger = freshLedger().define("t", "rare")
            val first = ledger.enqueue("rare") { organization(acme) }
            List(30) { ledger.enqueue { organization(acme) } }
            val second = ledger.enqueue("rare") { organization(acme) }
            List(30) { ledger.enqueue { organization(acme) } }
            val query = JobQuery.builder().statuses(JobStatus.PENDING).jobTypes(listOf("rare")).maxRead(20).limit(10).build()

            val pages = ledger.pages(query, Scope.organization(acme))

            pages.ids() shouldContainExactly listOf(second, first)
            pages.map { it.items().size } shouldContainExactly listOf(0, 1, 0, 1)
            ledger.pages(query, Scope.everything()).ids() shouldContainExactly listOf(second, first)
            ledger.pages(query, Scope.global()).ids().shouldBeEmpty()
            ledger.pages(query, Scope.organization(UUID(1, 1))).map { it.next() } shouldContainExactly listOf(null)
        }

        test("a key is found at once, whatever may be read") {
            val ledger = freshLedger().define("t")
            val first = ledger.enqueue { organization(acme).idempotencyKey("key") }
            List(30) { ledger.enqueue { organization(acme) } }
            val query = JobQuery.builder().idempotencyKey("key").maxRead(5).limit(5).build()

            listOf(Scope.everything(), Scope.organization(acme)).forEach { scope ->
                ledger.pages(query, scope).map { page -> page.items().map { it.id() } } shouldContainExactly listOf(listOf(first))
            }
        }

        test("pages of all statuses are merged, without a repeated or a missing job") {
            val ledger = freshLedger().define("t", "u")
            val random = Random(815)
            val ids = List(120) { n -> ledger.enqueue(if (n % 3 == 0) "u" else "t") { organization(acme) } }
            ids.forEach { id ->
                val ended = "finished_at = now(), attempt = 1, last_error_code = 'test.down'"
                when (random.nextInt(3)) {
                    0 -> ledger.run("UPDATE runledger.job_queue SET status = 'DEAD_LETTERED', $ended WHERE id = '$id'")
                    1 -> ledger.run("UPDATE runledger.job_queue SET status = 'CANCELED', $ended WHERE id = '$id'")
                }
            }
            val ofType = ids.filterIndexed { n, _ -> n % 3 == 0 }.reversed()
            val failed = ledger.rows("SELECT id FROM runledger.job_queue WHERE last_error_code IS NOT NULL ORDER BY id DESC")
                .map { UUID.fromString(it) }

            listOf(Scope.organization(acme), Scope.everything()).forEach { scope ->
                listOf(5, 7, 100).forEach { most ->
                    val ofTypeU = JobQuery.builder().jobTypes(listOf("u")).maxRead(most).limit(5).build()
                    ledger.pages(ofTypeU, scope).ids() shouldContainExactly ofType
                    val ofCode = JobQuery.builder().errorCode("test.down").maxRead(most).limit(5)
                    ledger.pages(ofCode.build(), scope).ids() shouldContainExactly failed
                    ledger.pages(ofCode.jobTypes(listOf("u")).build(), scope).ids() shouldContainExactly
                        failed.filter { it in ofType }
                }
            }
        }

        test("an error code is searched by the index that comes further") {
            val ledger = freshLedger().define("t")
            val failed = { id: UUID ->
                ledger.run("UPDATE runledger.job_queue SET last_error_code = 'test.down', attempt = 1 WHERE id = '$id'")
            }
            val oldest = ledger.enqueue { organization(acme) }.also(failed)
            List(40) { ledger.enqueue { organization(UUID(1, 1)) } }.forEach(failed)
            val query = JobQuery.builder().errorCode("test.down").maxRead(10).limit(10).build()

            // Many others failed with the code, but the organization has few jobs.
            ledger.pages(query, Scope.organization(acme)).map { page -> page.items().map { it.id() } } shouldContainExactly
                listOf(listOf(oldest))
            List(40) { ledger.enqueue { organization(acme) } }
            // Now both have many.
            val pages = ledger.pages(query, Scope.organization(acme))
            pages.ids() shouldContainExactly listOf(oldest)
            pages.size shouldBeLessThanOrEqualTo 6
        }

        test("times bound a search, and a cursor belongs to its order") {
            val ledger = freshLedger().define("t")
            val ids = List(6) { ledger.enqueue { organization(acme) } }
            ledger.run("UPDATE runledger.job_queue SET created_at = created_at - interval '2 hours' WHERE id = '${ids[0]}'")
            val query = JobQuery.builder().createdSince(Instant.now().minusSeconds(3_600)).maxRead(4).limit(4).build()

            ledger.pages(query, Scope.organization(acme)).ids() shouldContainExactly ids.drop(1).reversed()
            ledger.pages(
                JobQuery.builder().createdBefore(Instant.now().minusSeconds(3_600)).maxRead(4).limit(4).build(),
                Scope.organization(acme),
            ).ids() shouldContainExactly ids.take(1)
            val newest = ledger.client.jobs.list(Scope.everything(), JobQuery.builder().limit(2).build()).next().shouldNotBeNull()
            val claims = ledger.client.jobs.list(Scope.everything(), claims { limit(2) }).next().shouldNotBeNull()
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { ledger.client.jobs.list(Scope.everything(), claims { after(newest) }) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { ledger.client.jobs.list(Scope.everything(), query.after(claims)) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) {
                ledger.client.jobs.list(Scope.everything(), claims { after(Cursor.write(Long.MAX_VALUE, 0, 0, 0)) })
            }
            ledger.client.jobs.list(Scope.everything(), claims { limit(6) }).next().shouldBeNull()
        }
    })
