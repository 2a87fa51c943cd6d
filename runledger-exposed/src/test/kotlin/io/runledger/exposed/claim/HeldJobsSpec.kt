package io.runledger.exposed.claim

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import java.util.UUID
import kotlin.random.Random

/** Rows that other sessions hold do not prevent the claim of other jobs. */
class HeldJobsSpec :
    FunSpec({
        /** Holds the rows of [jobs] in an open transaction while [test] runs. */
        fun TestLedger.holding(jobs: Collection<UUID>, test: () -> Unit) = database.connect().use { other ->
            other.autoCommit = false
            other.prepareStatement("SELECT FROM runledger.job_queue WHERE id = ANY (?) FOR UPDATE").use { statement ->
                statement.setArray(1, other.createArrayOf("uuid", jobs.toTypedArray()))
                statement.executeQuery().close()
            }
            test()
            other.rollback()
        }

        test("a held job of higher priority does not make a claim come back empty beside due jobs") {
            val ledger = freshLedger().define("mail")
            val held = ledger.enqueue { priority(200) }.id()
            repeat(50) { ledger.enqueue { priority(100) } }

            ledger.holding(listOf(held)) {
                repeat(3) { ledger.claim(limit = 1) shouldHaveSize 1 }
                ledger.claim(limit = 100) shouldHaveSize 47
                ledger.claim().shouldBeEmpty()
            }
            ledger.claim().map { it.lease().jobId() } shouldContainExactlyInAnyOrder listOf(held)
        }

        test("what a type's held jobs leave is given to other types, and a type's limit holds") {
            val ledger = freshLedger().define("mail", "crawl")
            val held = List(5) { ledger.enqueue("crawl") { priority(200) }.id() }
            repeat(5) { ledger.enqueue("crawl") { priority(1) } }
            val mails = List(3) { ledger.enqueue("mail") { priority(100) }.id() }

            ledger.holding(held) {
                val claimed = ledger.client.leases.claim(
                    ClaimRequest.of(listOf("mail", "crawl"), "w1", lease, 5).withTypeLimits(mapOf("crawl" to 1)),
                )

                claimed.filter { it.jobType() == "mail" }.map { it.lease().jobId() } shouldContainExactlyInAnyOrder mails
                claimed.filter { it.jobType() == "crawl" }.map { it.priority() } shouldBe listOf(1)
            }
        }

        test("racing claims of one job each never come back empty while there is more than one for each") {
            val ledger = freshLedger().define("mail", "crawl")
            repeat(20) { round ->
                ledger.client.jobs.enqueueAll(
                    List(16) { JobRequest.builder(if (it % 2 == 0) "mail" else "crawl", Json.NULL).priority(100 + it).build() },
                )

                val claimed = racing(4) { List(4) { _ -> ledger.claim("mail", "crawl", limit = 1) } }.flatten()

                withClue("round $round") { claimed.map { it.size } shouldBe List(16) { 1 } }
            }
        }

        test("whatever is held, a claim takes what a plain sort of the rest says, by priority, within every limit") {
            val ledger = freshLedger().define("a", "b", "c", "paused")
            ledger.client.definitions.pause("paused")
            val types = listOf("a", "b", "c", "paused")
            repeat(ROUNDS) { seed ->
                val random = Random(seed)
                ledger.run("DELETE FROM runledger.job_queue")
                val count = if (random.nextInt(10) == 0) 1_500 else random.nextInt(1, 60)
                val span = random.nextInt(1, 8)
                ledger.run(
                    "SELECT setseed(${seed / ROUNDS.toDouble()})",
                    """
                    INSERT INTO runledger.job_queue (id, job_type, max_attempts, priority, is_paused, updated_at, next_run_at)
                    SELECT gen_random_uuid(), (ARRAY['a', 'b', 'c', 'paused'])[1 + floor(random() * 4)::int], 1, floor(random() * $span),
                        random() < 0.1, now() - random() * interval '2 h', now() + (random() - 0.8) * interval '1 h'
                    FROM generate_series(1, $count)
                    """,
                )
                val due = ledger.rows(
                    "SELECT id, job_type, priority FROM runledger.job_queue WHERE NOT is_paused AND next_run_at <= now() " +
                        "AND job_type <> 'paused' ORDER BY priority DESC, next_run_at, id",
                ).map { it.split("|") }
                val held = due.filter { random.nextInt(3) == 0 }.map { UUID.fromString(it[0]) }.toSet()
                val limit = random.nextInt(1, 40)
                val limits = types.filter { random.nextBoolean() }.associateWith { random.nextInt(1, 5) }
                val taken = HashMap<String, Int>()
                val expected = due.filter { UUID.fromString(it[0]) !in held }
                    .filter { taken.merge(it[1], 1, Int::plus)!! <= (limits[it[1]] ?: Int.MAX_VALUE) }
                    .take(limit)

                ledger.holding(held) {
                    val claimed = ledger.client.leases.claim(ClaimRequest.of(types, "w1", lease, limit).withTypeLimits(limits))

                    withClue("seed $seed: $count jobs, limit $limit, $limits, ${held.size} held") {
                        claimed.map { it.priority() }.sortedDescending() shouldBe expected.map { it[2].toInt() }
                        claimed.filter { it.lease().jobId() in held }.shouldBeEmpty()
                        limits.forEach { (type, most) -> claimed.count { it.jobType() == type } shouldBeLessThanOrEqual most }
                    }
                }
            }
        }
    })

private const val ROUNDS = 60
