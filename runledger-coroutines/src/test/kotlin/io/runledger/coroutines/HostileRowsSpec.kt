package io.runledger.coroutines

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.UUID

/** A payload whose class cannot even be loaded. */
data class Cursed(val word: String) {
    init {
        throw NoClassDefFoundError("the class is gone, it is said: $word")
    }
}

/**
 * A worker over rows that were damaged by hand or written by a newer version: they become dead letters or are not changed, and it
 * continues with the next rows, without claiming the same rows repeatedly.
 */
class HostileRowsSpec :
    FunSpec({
        val greet = JobType.of("hello.greet", String::class.java)
        val cursed = JobType.of("hello.cursed", Cursed::class.java)
        val bottomless = "[".repeat(600) + "]".repeat(600)

        /** The damage of a row, and the code of its dead letter; none if the row is not changed or runs normally. */
        val damages = mapOf(
            "payload = '$bottomless'" to "job.invalid_payload",
            "payload = '{\"no\": \"text\"}'" to "job.invalid_payload",
            "payload = '[[[1e400]]]'" to "job.invalid_payload",
            "checkpoint = '$bottomless'" to "job.invalid_payload",
            "retry_policy = '$bottomless'" to "job.invalid_payload",
            "retry_policy = '{\"backoff\": \"from tomorrow\"}'" to null,
            "retry_policy = '[]'" to null,
            "retry_policy = 'null'" to null,
            "max_attempts = 0" to "db.business_rule_violation",
            "timeout_seconds = -1" to "db.business_rule_violation",
            "interruptions = 3" to "db.business_rule_violation",
            "attempt = 2147483647" to null,
            "stage = 'from tomorrow', initial_stage = 'from tomorrow'" to null,
            "status = 'FROM_TOMORROW'" to null,
            "status = 'LEASED', lease_expires_at = now()" to null,
            "status = 'LEASED', worker_id = 'w0', lease_expires_at = now() - interval '1 day'" to null,
            "next_run_at = 'infinity'" to null,
            "is_step = true" to null,
        )

        fun lawless(ledger: TestLedger) {
            val tables = ledger.rows(
                "SELECT conrelid::regclass || ' DROP CONSTRAINT ' || conname FROM pg_constraint " +
                    "WHERE connamespace = 'runledger'::regnamespace AND contype = 'c'",
            )
            ledger.run(tables.joinToString("; ") { "ALTER TABLE $it" })
            ledger.run("ALTER TYPE runledger.job_status ADD VALUE 'FROM_TOMORROW'")
        }

        test("a worker gets past rows that nobody can read, and parks them") {
            val ledger = freshLedger()
            ledger.define(greet, cursed)
            lawless(ledger)
            val bad = damages.keys.associateWith { change ->
                ledger.enqueue(greet, "Ada").also { ledger.run("UPDATE runledger.job_queue SET $change WHERE id = '$it'") }
            }
            val gone = UUID.fromString(
                ledger.value(
                    "INSERT INTO runledger.job_queue (job_type, payload, max_attempts) " +
                        "VALUES ('hello.cursed', '{\"word\": \"no\"}', 8) RETURNING id",
                ),
            )
            listOf("bad", "good").forEach {
                val request = ScheduleRequest.builder(it, "hello.greet", Json.of("\"tick\"")).every(Duration.ofDays(1)).build()
                ledger.client.schedules.upsert(request)
            }
            ledger.run(
                "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '1 second', " +
                    "misfire_policy = CASE name WHEN 'bad' THEN 'FROM_TOMORROW' ELSE misfire_policy END",
            )

            val handlers = handlers {
                on(greet) { it.payload() }
                on(cursed) { it.payload().word }
            }
            val config = quick {
                reaper(true)
                reaperInterval(Duration.ofMillis(50))
                reaperRetryDelay(Duration.ofHours(1))
                scheduler(true)
            }
            working(ledger.client, handlers, config) { witness ->
                val good = List(20) { ledger.enqueue(greet, "Bob $it") }
                good.forEach { witness.await("succeeded", it) }
                witness.await("dead-lettered", gone)
                until("the good schedule has fired") {
                    ledger.value("SELECT count(*) FROM runledger.job_schedule_fires WHERE outcome = 'FIRED'").toInt() == 1
                }
                bad.forEach { (change, id) ->
                    damages[change]?.let { code ->
                        until("the job with $change is parked") {
                            ledger.value("SELECT status, last_error_code FROM runledger.job_queue WHERE id = '$id'") ==
                                "DEAD_LETTERED|$code"
                        }
                    }
                }
                (bad.values + gone).forEach { id ->
                    withClue(bad.entries.find { it.value == id }?.key) {
                        witness.of(id).count { it == "claimed" } shouldBeLessThanOrEqual 1
                    }
                }
                witness.told.filter { it.what == "unavailable" }.shouldBeEmpty()
            }

            ledger.value("SELECT last_error_code FROM runledger.job_queue WHERE id = '$gone'") shouldBe "job.invalid_payload"
            ledger.run("TRUNCATE runledger.job_queue, runledger.job_attempts CASCADE")
        }
    })
