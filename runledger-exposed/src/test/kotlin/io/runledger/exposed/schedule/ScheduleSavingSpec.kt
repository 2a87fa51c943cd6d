package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.Schedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.UUID

private data class Bad(val what: String, val code: ErrorCode, val build: () -> ScheduleRequest)

private fun request(
    name: String = "nightly",
    type: String = "report",
    payload: Any = Json.EMPTY_OBJECT,
): ScheduleRequest.Builder = ScheduleRequest.builder(name, type, payload)

class ScheduleSavingSpec :
    FunSpec({
        val ledger = freshLedger()
        val schedules = ledger.client.schedules
        val everything = Scope.everything()
        val later = Instant.parse("2199-01-01T00:00:00Z")

        beforeSpec {
            ledger.run("INSERT INTO runledger.job_definitions (job_type, is_enabled) VALUES ('report', true), ('old', false)")
        }
        beforeTest { ledger.run("DELETE FROM runledger.job_schedules") }

        test("a new schedule is saved with all it says and its first fire delayed by its jitter") {
            val organization = UUID.randomUUID()
            val first = Instant.parse("2099-05-26T12:01:00Z")
            val saved = schedules.upsert(
                request(payload = mapOf("kind" to "daily")).cron("0 0 3 * * *").zone("Europe/Berlin").organization(organization)
                    .jitter(Duration.ofSeconds(30)).fireAllMisfires(7).skipOverlaps().firstFireAt(first).build(),
            )

            saved.nextFireAt() shouldBe first.plusSeconds(jitterSeconds(saved.id(), first, 30))
            saved.organizationId() shouldBe organization
            saved.timeZone() shouldBe "Europe/Berlin"
            saved.maxJitter() shouldBe Duration.ofSeconds(30)
            saved.misfirePolicy() shouldBe MisfirePolicy.ALL
            saved.misfireLimit() shouldBe 7
            saved.overlapPolicy() shouldBe OverlapPolicy.SKIP
            saved.payloadTemplate() shouldBe Json.of("""{"kind": "daily"}""")
            schedules.get(Scope.organization(organization), "nightly") shouldBe saved
        }

        test("without a first fire, cron and interval begin after now by the database's clock") {
            val now = Instant.parse(ledger.value("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"))

            schedules.upsert(request("cron").cron("0 0 0 * * *").build()).nextFireAt() shouldBe
                CronRecurrence(CronTimes.parse("@daily"), ZoneId.of("UTC")).next(now)
            schedules.upsert(request("interval").every(Duration.ofDays(3)).build()).nextFireAt() shouldBeGreaterThan
                now.plus(Duration.ofDays(3)).minusSeconds(1)
        }

        context("bad values are refused with their code and nothing is written") {
            withData<Bad>(
                { it.what },
                Bad("a blank name", ErrorCode.INVALID_SCHEDULE_NAME) { request(" ").cron("@daily").build() },
                Bad("a padded name", ErrorCode.INVALID_SCHEDULE_NAME) { request("nightly ").cron("@daily").build() },
                Bad("a blank cron", ErrorCode.INVALID_CRON) { request().cron(" ").build() },
                Bad("a padded cron", ErrorCode.INVALID_CRON) { request().cron(" @daily").build() },
                Bad("no cron", ErrorCode.INVALID_CRON) { request().build() },
                Bad("cron and interval", ErrorCode.INVALID_CRON) { request().cron("@daily").every(Duration.ofHours(1)).build() },
                Bad("an unreadable cron", ErrorCode.INVALID_CRON) { request().cron("0 0 25 * * *").build() },
                Bad("a cron that never fires", ErrorCode.INVALID_CRON) { request().cron("0 0 0 30 2 ?").build() },
                Bad("a cron that is over", ErrorCode.INVALID_CRON) { request().cron("0 0 0 1 1 ? 2020").build() },
                Bad("no interval", ErrorCode.INVALID_INTERVAL) { request().every(Duration.ZERO).build() },
                Bad("negative jitter", ErrorCode.INVALID_JITTER) {
                    request().cron("@daily").jitter(Duration.ofNanos(-1)).build()
                },
                Bad("too much jitter", ErrorCode.INVALID_JITTER) {
                    request().cron("@daily").jitter(Duration.ofSeconds(86_401)).build()
                },
                Bad("an unknown zone", ErrorCode.INVALID_TIME_ZONE) { request().cron("@daily").zone("Europe/Bonn").build() },
                Bad("an offset", ErrorCode.INVALID_TIME_ZONE) { request().cron("@daily").zone(ZoneId.of("+02:00")).build() },
                Bad("a limit of none", ErrorCode.INVALID_ARGUMENT) { request().cron("@daily").fireAllMisfires(0).build() },
                Bad("a blank type", ErrorCode.INVALID_JOB_TYPE) { request(type = " ").cron("@daily").build() },
                Bad("an unknown type", ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) {
                    request(type = "none").cron("@daily").build()
                },
                Bad("a disabled type", ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) {
                    request(type = "old").cron("@daily").build()
                },
            ) { bad ->
                shouldRefuse(bad.code) { schedules.upsert(bad.build()) }
                ledger.value("SELECT count(*) FROM runledger.job_schedules") shouldBe "0"
            }
        }

        test("a disabled type may have a paused schedule, which cannot be resumed or synced active") {
            schedules.upsert(request(type = "old").cron("@daily").active(false).build()).active() shouldBe false

            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { schedules.resume(everything, "nightly") }
            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) {
                schedules.sync(everything, listOf(request(type = "old").cron("@daily").build()))
            }
            schedules.upsert(request(type = "old").cron("@hourly").build()).active() shouldBe false
        }

        test("a second upsert overwrites what it says but keeps organization, activity and cursor") {
            val one = UUID.randomUUID()
            schedules.upsert(request().cron("@daily").organization(one).firstFireAt(later).active(false).build())

            val again = schedules.upsert(
                everything,
                request(payload = Json.of("[1]")).cron("@daily").organization(UUID.randomUUID()).jitter(Duration.ofSeconds(9))
                    .firstFireAt(later.plusSeconds(60)).build(),
            )

            again.organizationId() shouldBe one
            again.active() shouldBe false
            again.nextFireAt() shouldBe later
            again.payloadTemplate() shouldBe Json.of("[1]")
            again.maxJitter() shouldBe Duration.ofSeconds(9)
        }

        test("another cron, interval or zone sets the cursor anew") {
            schedules.upsert(request().cron("@daily").firstFireAt(later).build())
            val other = later.plusSeconds(60)

            schedules.upsert(request().cron("@hourly").firstFireAt(other).build()).nextFireAt() shouldBe other
            schedules.upsert(request().cron("@hourly").zone("Asia/Tokyo").firstFireAt(later).build()).nextFireAt() shouldBe later
            schedules.upsert(request().every(Duration.ofHours(2)).firstFireAt(other).build()).nextFireAt() shouldBe other
            schedules.upsert(request().every(Duration.ofHours(3)).firstFireAt(later).build()).nextFireAt() shouldBe later
        }

        test("a name taken outside the scope is refused, and the other schedule stays") {
            schedules.upsert(request().cron("@daily").organization(UUID.randomUUID()).build())

            val refusal = shouldRefuse(ErrorCode.DB_UNIQUE) { schedules.upsert(request().cron("@hourly").build()) }

            refusal.message!! shouldContain "nightly"
            ledger.value("SELECT cron_expr FROM runledger.job_schedules") shouldBe "@daily"
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                schedules.upsert(Scope.organization(UUID.randomUUID()), request("mine").cron("@daily").build())
            }
        }

        test("sync applies activity, leaves others alone and reports in order") {
            schedules.upsert(request("a").cron("@daily").active(false).build())
            schedules.upsert(request("other").cron("@daily").build())

            val report = schedules.sync(
                everything,
                listOf(request("b").cron("@daily").active(false).build(), request("a").cron("@daily").build()),
            )

            report.synced().map { it.name() to it.active() } shouldContainExactly listOf("b" to false, "a" to true)
            report.deactivated() shouldBe emptyList()
            schedules.get(everything, "other").active() shouldBe true
        }

        test("an exact sync pauses what is among the names and not given") {
            listOf("a", "b", "c", "elsewhere").forEach { schedules.upsert(request(it).cron("@daily").build()) }
            schedules.pause(everything, "c")

            val report = schedules.syncExactly(Scope.global(), listOf(request("a").cron("@daily").build()), setOf("a", "b", "c"))

            report.deactivated() shouldContainExactly listOf("b")
            schedules.get(everything, "elsewhere").active() shouldBe true
            val none = emptyList<ScheduleRequest>()
            val foreign = Scope.organization(UUID.randomUUID())
            schedules.syncExactly(Scope.global(), none, setOf("a", "b", "c")).deactivated() shouldContainExactly listOf("a")
            schedules.syncExactly(foreign, none, setOf("elsewhere")).deactivated() shouldBe emptyList()
        }

        test("a sync is refused as a whole") {
            val good = request("good").cron("@daily").build()

            shouldRefuse(ErrorCode.INVALID_SCHEDULE_NAME) { schedules.sync(everything, listOf(good, good)) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { schedules.syncExactly(everything, listOf(good), setOf("bad")) }
            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) {
                schedules.sync(everything, listOf(good, request("z", "old").cron("@daily").build()))
            }
            schedules.list(everything).items() shouldBe emptyList()
        }

        test("a save inside the caller's transaction is undone with it") {
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).schedules.upsert(request().cron("@daily").build())
                connection.rollback()
            }
            schedules.find(everything, "nightly") shouldBe null
        }

        test("a preview asks no database") {
            val after = Instant.parse("2026-03-28T12:00:00Z")
            Schedules.preview(request().cron("0 30 2 * * *").zone("Europe/Berlin").build(), after, 2) shouldContainExactly
                listOf(Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"))
            Schedules.preview(request().every(Duration.ofHours(6)).firstFireAt(after).build(), after, 3) shouldContainExactly
                listOf(after, after.plusSeconds(21_600), after.plusSeconds(43_200))
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { Schedules.preview(request().cron("@daily").build(), after, 0) }
        }
    })
