package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class FireSchedulesSpec :
    FunSpec({
        val ledger = freshLedger()
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val everything = Scope.everything()
        val past = Instant.parse("2026-01-01T00:00:00Z")

        fun save(
            name: String,
            type: String = "report",
            payload: Any = Json.EMPTY_OBJECT,
            settings: ScheduleRequest.Builder.() -> Unit,
        ) = schedules.upsert(
            everything,
            ScheduleRequest.builder(name, type, payload).firstFireAt(past).apply(settings).build(),
        )

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.job_queue",
                "INSERT INTO runledger.job_definitions (job_type, default_priority, max_attempts, default_timeout_seconds) " +
                    "VALUES ('report', 7, 3, 60) ON CONFLICT (job_type) DO UPDATE SET is_enabled = true",
            )
        }

        test("a due schedule makes one job that tells its schedule and its instant, with its type's defaults") {
            val organization = UUID.randomUUID()
            val saved = save("nightly", payload = Json.of("""{"kind": "daily", "_schedule": 1}""")) {
                cron("@daily").organization(organization)
            }

            val pass = due.fire(10)

            val fire = pass.fired().single()
            fire.scheduledFor() shouldBe past
            pass.schedules() shouldBe 1
            ledger.value(
                "SELECT id, organization_id, stage, status, priority, max_attempts, timeout_seconds, next_run_at <= now(), " +
                    "payload FROM runledger.job_queue",
            ) shouldBe "${fire.jobId()}|$organization|scheduled|PENDING|7|3|60|t|" +
                """{"kind": "daily", "_schedule": {"schedule_id": "${saved.id()}", "schedule_name": "nightly", """ +
                """"scheduled_for": "2026-01-01T00:00:00Z"}}"""
            ledger.value("SELECT event_type FROM runledger.job_events") shouldBe "ENQUEUED"
            fire.caughtUp() shouldBe true
            val forgotten = schedules.fires(everything, "nightly").items().first()
            forgotten.outcome() shouldBe FireOutcome.SKIPPED_MISFIRE
            schedules.fires(everything, "nightly").items() shouldContainExactly listOf(forgotten, fire)
        }

        test("a payload that is no object is wrapped, and a fraction of a second is told") {
            save("odd", payload = Json.of("[1]")) { cron("@daily").firstFireAt(past.plusMillis(250)) }
            due.fire(10)
            ledger.value(
                "SELECT payload - '_schedule', payload -> '_schedule' ->> 'scheduled_for' FROM runledger.job_queue",
            ) shouldBe """{"payload": [1]}|2026-01-01T00:00:00.250Z"""
        }

        test("after a long downtime there is one late job, the cursor lies after now, and a second pass adds nothing") {
            save("minutely") { cron("* * * * *") }

            due.fire(10).fired() shouldHaveSize 1
            due.fire(10).fires().shouldBeEmpty()

            ledger.value(
                "SELECT next_fire_at > now(), next_fire_at <= now() + interval '1 minute', s.last_job_id = q.id, " +
                    "s.last_fired_at IS NOT NULL FROM runledger.job_schedules s, runledger.job_queue q",
            ) shouldBe "t|t|t|t"
        }

        test("ALL makes up for missed fires up to its limit, each with its own instant") {
            save("hourly") { cron("@hourly").fireAllMisfires(3) }

            val pass = due.fire(10)

            pass.fired().map { it.scheduledFor() } shouldContainExactly (0L..2L).map { past.plusSeconds(3_600 * it) }
            pass.skipped().map { it.outcome() } shouldContainExactly listOf(FireOutcome.SKIPPED_MISFIRE)
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "3"
        }

        test("SKIP makes no job for what it missed") {
            save("yearly") { every(Duration.ofDays(20_000)).skipMisfires() }
            val pass = due.fire(10)
            pass.fired().shouldBeEmpty()
            pass.skipped().single().outcome() shouldBe FireOutcome.SKIPPED_MISFIRE
            ledger.value("SELECT next_fire_at > now(), last_fired_at FROM runledger.job_schedules") shouldBe "t|"
        }

        test("overlap SKIP waits for the last job to end") {
            save("slow") { every(Duration.ofHours(1)).overlap(OverlapPolicy.SKIP) }
            due.fire(10).fired() shouldHaveSize 1
            val first = ledger.value("SELECT last_job_id FROM runledger.job_schedules")
            schedules.retime(everything, "slow", past.plusSeconds(1))

            due.fire(10).skipped().first().outcome() shouldBe FireOutcome.SKIPPED_OVERLAP
            ledger.value("SELECT last_job_id FROM runledger.job_schedules") shouldBe first

            ledger.run("UPDATE runledger.job_queue SET status = 'CANCELED', finished_at = now()")
            schedules.retime(everything, "slow", past.plusSeconds(2))
            due.fire(10).fired() shouldHaveSize 1
        }

        test("what cannot fire is deferred by half a minute and does not starve others") {
            ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('gone')")
            save("broken") { cron("@daily") }
            save("unzoned") { cron("@daily") }
            save("disabled", "gone") { cron("@daily").firstFireAt(past.plusSeconds(1)) }
            save("fine") { cron("@daily").firstFireAt(past.plusSeconds(2)) }
            ledger.run(
                "UPDATE runledger.job_schedules SET cron_expr = 'whenever' WHERE name = 'broken'",
                "UPDATE runledger.job_schedules SET timezone = 'Atlantis/Capital' WHERE name = 'unzoned'",
                "UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = 'gone'",
            )

            val pass = due.fire(10)

            pass.deferred().associate { it.name() to it.code() } shouldBe mapOf(
                "broken" to ErrorCode.INVALID_CRON,
                "unzoned" to ErrorCode.INVALID_TIME_ZONE,
                "disabled" to ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE,
            )
            pass.deferred().first { it.name() == "broken" }.reason() shouldContain "whenever"
            pass.fired() shouldHaveSize 1
            ledger.rows(
                "SELECT name, is_active, next_fire_at BETWEEN now() + interval '10 seconds' AND now() + interval '31 seconds' " +
                    "FROM runledger.job_schedules ORDER BY name",
            ) shouldContainExactly listOf("broken|t|t", "disabled|t|t", "fine|t|f", "unzoned|t|t")
            due.fire(10).schedules() shouldBe 0

            ledger.run(
                "UPDATE runledger.job_definitions SET is_enabled = true",
                "UPDATE runledger.job_schedules SET next_fire_at = now()",
            )
            due.fire(10).fired() shouldHaveSize 2
        }

        test("the longest due come first, as many as asked for") {
            (1..5).forEach { index -> save("s$index") { cron("@daily").firstFireAt(past.plusSeconds(100L - index)) } }

            due.fire(2).fired().map { it.scheduledFor() } shouldContainExactly
                listOf(past.plusSeconds(95), past.plusSeconds(96))
            due.fire(10).schedules() shouldBe 3
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { due.fire(0) }
        }

        test("an expression at its end pauses its schedule") {
            save("once") { cron("0 0 0 1 1 ? 2099").firstFireAt(past) }
            ledger.run("UPDATE runledger.job_schedules SET cron_expr = '0 0 0 1 1 ? 2026'")

            val pass = due.fire(10)

            pass.ended() shouldContainExactly listOf("once")
            pass.fired() shouldHaveSize 1
            schedules.get(everything, "once").active() shouldBe false
            shouldRefuse(ErrorCode.INVALID_CRON) { schedules.resume(everything, "once") }
        }

        test("an instant that was handled before makes no second job") {
            save("nightly") { cron("@daily") }
            due.fire(10).fired() shouldHaveSize 1
            schedules.retime(everything, "nightly", past)

            due.fire(10).fires().shouldBeEmpty()

            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
            ledger.value("SELECT next_fire_at > now(), last_job_id IS NOT NULL FROM runledger.job_schedules") shouldBe "t|t"
        }

        test("a pass over a thousand schedules is three statements") {
            val requests = (1..1_000).map {
                ScheduleRequest.builder("many-$it", "report", Json.EMPTY_OBJECT).cron("0 3 * * *").firstFireAt(past).build()
            }
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            val counted = client.dueSchedules
            counted.fire(1).fires().shouldBeEmpty()
            counting.count { client.schedules.sync(everything, requests) } shouldBeLessThanOrEqual 6

            counting.count { counted.fire(1_000).fired() shouldHaveSize 1_000 } shouldBe 3

            ledger.value("SELECT count(DISTINCT xmin::text) FROM runledger.job_schedule_fires") shouldBe "1"
            ledger.value("SELECT count(DISTINCT last_job_id) FROM runledger.job_schedules") shouldBe "1000"
        }
    })
