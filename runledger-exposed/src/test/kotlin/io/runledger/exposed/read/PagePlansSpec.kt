package io.runledger.exposed.read

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.model.json.Json
import io.runledger.model.ledger.Page
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.UUID

private const val ENTRIES = 100_000
private const val ITEMS = 50

/** A page of a long history reads about as much as it shows, at its beginning and in its middle. */
class PagePlansSpec :
    FunSpec({
        val everything = Scope.everything()
        val job = UUID.randomUUID()

        fun TestLedger.fill() = run(
            """INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, outcome)
                SELECT s.id, now() - n * interval '1 second', 'FIRED' FROM runledger.job_schedules s, generate_series(1, $ENTRIES) n""",
            """INSERT INTO runledger.worker_orders (id, kind, reason)
                SELECT md5(n::text)::uuid, 'STOP', 'because' FROM generate_series(1, $ENTRIES) n""",
            "INSERT INTO runledger.job_queue (id, job_type, max_attempts) VALUES ('$job', 't', 3)",
            "INSERT INTO runledger.job_logs (job_id, level, message) SELECT '$job', 'INFO', 'done' FROM generate_series(1, $ENTRIES) n",
            """INSERT INTO runledger.job_dead_letters
                (job_id, run_number, attempt, failed_at, kind, job_type, reason, payload_snapshot)
                SELECT '$job', n, 1, now(), 'TERMINAL', 't', 'FAILURE_KIND_NON_RETRYABLE', '{}' FROM generate_series(1, $ENTRIES) n""",
            "VACUUM ANALYZE",
        )

        val ledger by lazy {
            freshLedger().define("t").apply {
                listOf("a", "b").forEach {
                    client.schedules.upsert(ScheduleRequest.builder(it, "t", Json.NULL).every(Duration.ofDays(1)).build())
                }
                fill()
            }
        }

        val histories = mapOf<String, RunledgerClient.(Int, String?) -> Page<*>>(
            "the fires of a schedule" to { limit, after -> schedules.fires(everything, "a", limit, after) },
            "the orders to workers" to { limit, after -> workers.orders(limit, after) },
            "the lines of a job" to { limit, after -> logs.list(everything, job, limit, after) },
            "the newest lines of a job" to { limit, after -> logs.newest(everything, job, limit, after) },
            "the dead letters of a job" to { limit, after -> jobs.deadLetters(everything, job, limit, after) },
        )

        histories.forEach { (name, read) ->
            test("$name are read by an index, the first page and a later one") {
                val source = Explaining(ledger.dataSource)
                val watched = RunledgerClient.create(source)
                val first = watched.read(1_000, null)
                watched.read(ITEMS, first.next().shouldNotBeNull()).items() shouldHaveSize ITEMS
                watched.read(ITEMS, null).items() shouldHaveSize ITEMS

                val plans = source.plans.filter { "Scan" in it }.map(::Plan)
                plans.size shouldBe 3
                plans.drop(1).forEach { plan ->
                    println("PLAN $name beside $ENTRIES: ${plan.pages} pages")
                    withClue(plan.text) {
                        plan.text shouldNotContain
                            Regex("Seq Scan on (job_schedule_fires|worker_orders|job_logs|job_dead_letters)")
                        plan.pages shouldBeLessThanOrEqualTo 2L * ITEMS
                    }
                }
            }
        }
    })
