package io.runledger.exposed.backfill

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ActionRepeatedException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.schedule.BackfillPreview
import io.runledger.model.schedule.BackfillReport
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.ScheduleRequest
import java.sql.SQLException
import java.time.Duration
import java.time.Instant
import java.util.UUID

class BackfillSpec :
    FunSpec({
        val ledger = freshLedger().define("report", "off")
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val past = Instant.parse("2025-01-01T00:00:00Z")
        val later = Instant.parse("2199-01-01T00:00:00Z")
        val hour = Duration.ofHours(1)

        fun at(text: String): Instant = Instant.parse(text)

        fun save(name: String = "s", settings: ScheduleRequest.Builder.() -> Unit) =
            schedules.upsert(ScheduleRequest.builder(name, "report", Json.of("""{"n":1}""")).apply(settings).build())

        fun instantsOfJobs(): List<String> =
            ledger.rows("SELECT payload -> '_schedule' ->> 'scheduled_for' FROM runledger.job_queue ORDER BY 1")

        fun lines(cause: FireCause): List<ScheduleFire> = generateSequence(schedules.fires(global, "s", 1_000)) { page ->
            page.next()?.let { schedules.fires(global, "s", 1_000, it) }
        }
            .flatMap { it.items() }.filter { it.cause() == cause }.toList()

        fun contents() = listOf("job_queue", "job_schedules", "job_schedule_fires", "operator_actions").map {
            ledger.value("SELECT count(*) || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM runledger.$it t")
        }

        /** A client whose connections are counted: the first one plans, each other is a transaction of the backfill. */
        fun clientWith(before: (Int) -> Unit): RunledgerClient =
            RunledgerClient.create(InterposedDataSource(ledger.dataSource, before))

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.job_queue",
                "DELETE FROM runledger.operator_actions",
                "UPDATE runledger.job_definitions SET is_enabled = job_type <> 'off'",
            )
        }

        test("every instant in the range fires, the first included and the end not, and its job knows the instant") {
            val saved = save { cron("0 3 * * *") }
            val before = schedules.get(global, "s")

            val report = schedules.backfill(global, "s", at("2025-03-01T03:00:00Z"), at("2025-03-04T03:00:00Z"), "the outage")

            report shouldBe BackfillReport(3, 3, 0, 0)
            instantsOfJobs() shouldContainExactly listOf("2025-03-01T03:00:00Z", "2025-03-02T03:00:00Z", "2025-03-03T03:00:00Z")
            ledger.rows(
                "SELECT DISTINCT status, stage, payload - '_schedule', payload -> '_schedule' ->> 'schedule_id' FROM runledger.job_queue",
            )
                .shouldContainExactly("PENDING|scheduled|{\"n\": 1}|${saved.id()}")
            val lines = lines(FireCause.BACKFILL)
            lines.map { it.scheduledFor().toString() } shouldContainExactly instantsOfJobs().reversed()
            lines.forEach {
                it.outcome() shouldBe FireOutcome.FIRED
                it.reason() shouldBe "the outage"
                it.caughtUp() shouldBe false
                ledger.value(
                    "SELECT payload -> '_schedule' ->> 'scheduled_for' FROM runledger.job_queue WHERE id = '${it.jobId()}'",
                )
                    .shouldBe(it.scheduledFor().toString())
            }
            schedules.get(global, "s") shouldBe before
        }

        test("clocks that go forward or back change the instants as they change fires") {
            save("daily") { cron("30 2 * * *").zone("Europe/Berlin") }
            save("hourly") { cron("30 * * * *").zone("Europe/Berlin") }
            fun sample(name: String, from: String, until: String) =
                schedules.previewBackfill(global, name, at(from), at(until)).sample().map { it.toString() }

            sample("daily", "2025-03-29T00:00:00Z", "2025-04-01T00:00:00Z") shouldContainExactly
                listOf("2025-03-29T01:30:00Z", "2025-03-30T01:00:00Z", "2025-03-31T00:30:00Z")
            sample("daily", "2025-10-25T00:00:00Z", "2025-10-28T00:00:00Z") shouldContainExactly
                listOf("2025-10-25T00:30:00Z", "2025-10-26T00:30:00Z", "2025-10-27T01:30:00Z")
            sample("hourly", "2025-10-26T00:00:00Z", "2025-10-26T03:00:00Z") shouldContainExactly
                listOf("2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z", "2025-10-26T02:30:00Z")
            // The range can begin at the repeated time itself.
            sample("daily", "2025-10-26T01:30:00Z", "2025-10-27T00:00:00Z").shouldBeEmpty()
        }

        test("a jittered schedule is backfilled with the instants at which it fires, and not with those that it has fired") {
            save { every(hour).firstFireAt(past).jitter(Duration.ofMinutes(50)).fireAllMisfires(5) }
            val fired = due.fire(10).fired().map { it.scheduledFor() }
            fired shouldHaveSize 5
            val until = past + Duration.ofHours(50)

            val preview = schedules.previewBackfill(global, "s", past, until)
            val report = schedules.backfill(global, "s", past, until)

            preview.alreadyFired() shouldBe 5
            preview.toFire() shouldBe report.fired()
            report.instants() shouldBe report.fired() + 5
            val jobs = instantsOfJobs()
            jobs shouldHaveSize report.instants()
            jobs.distinct() shouldHaveSize jobs.size
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$past'")
            val clock = schedules.upcoming(global, "s", 200).drop(1).filter { it < until }.map { it.toString() }
            (clock - jobs.toSet()).shouldBeEmpty()
        }

        test("an interval counts from its anchor in both directions, also before the schedule existed") {
            save { every(Duration.ofHours(6)).firstFireAt(past) }
            val until = past + Duration.ofHours(12)
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() + interval '1 day'")

            val preview = schedules.previewBackfill(global, "s", past - Duration.ofHours(13), until)

            preview shouldBe listOf(-12L, -6L, 0L, 6L).map { past + Duration.ofHours(it) }.let {
                BackfillPreview(4, 0, 0, 4, it.first(), it.last(), it)
            }
            schedules.backfill(global, "s", past - Duration.ofHours(13), until).fired() shouldBe 4
        }

        test("a repetition fires nothing, and fires everything again only if asked to") {
            save { cron("0 3 * * *") }
            fun backfill(again: Boolean = false) = schedules.backfill(global, "s", past, past + Duration.ofDays(3), null, again)
            backfill() shouldBe BackfillReport(3, 3, 0, 0)

            backfill() shouldBe BackfillReport(3, 0, 3, 0)
            instantsOfJobs() shouldHaveSize 3
            schedules.previewBackfill(global, "s", past, past + Duration.ofDays(3)) shouldBe
                BackfillPreview(3, 3, 0, 0, null, null, emptyList())

            schedules.previewBackfill(global, "s", past, past + Duration.ofDays(3), true).toFire() shouldBe 3
            backfill(again = true) shouldBe BackfillReport(3, 3, 0, 0)
            backfill(again = true) shouldBe BackfillReport(3, 3, 0, 0)
            instantsOfJobs() shouldHaveSize 9
            lines(FireCause.BACKFILL).map { it.jobId() }.distinct() shouldHaveSize 9
            // Pages do not lose a line of an instant that has several.
            val paged =
                generateSequence(schedules.fires(global, "s", 2)) { page ->
                    page.next()?.let { schedules.fires(global, "s", 2, it) }
                }
            paged.flatMap { it.items() }.map { it.jobId() }.toList() shouldContainExactly
                lines(FireCause.BACKFILL).map { it.jobId() }
        }

        test("instants that were skipped are made up for, whatever the policies say") {
            save { every(hour).firstFireAt(past).skipMisfires().skipOverlaps() }
            due.fire(10).fired().shouldBeEmpty()

            schedules.backfill(global, "s", past, past + hour.multipliedBy(3)) shouldBe BackfillReport(3, 3, 0, 0)
        }

        test("an active schedule is left the instants that it has still to decide; a paused one is not") {
            save { every(hour).firstFireAt(past).fireAllMisfires(2) }
            val from = past - hour.multipliedBy(2)
            val until = past + hour.multipliedBy(2)

            schedules.previewBackfill(global, "s", from, until) shouldBe
                BackfillPreview(4, 0, 2, 2, from, past - hour, listOf(from, past - hour))
            schedules.backfill(global, "s", from, until) shouldBe BackfillReport(4, 2, 0, 2)
            due.fire(10).fired().map { it.scheduledFor() } shouldContainExactly listOf(past, past + hour)
            instantsOfJobs() shouldHaveSize 4

            save("paused") { every(hour).firstFireAt(past).active(false) }
            schedules.backfill(global, "paused", from, until) shouldBe BackfillReport(4, 4, 0, 0)
            schedules.get(global, "paused").active() shouldBe false
        }

        test("a schedule that is moved back does not fire what a backfill has fired") {
            save { every(hour).firstFireAt(past).fireAllMisfires(4) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$later'")
            schedules.backfill(global, "s", past + hour, past + hour.multipliedBy(3)).fired() shouldBe 2

            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$past'")
            due.fire(10).fired().map { it.scheduledFor() } shouldContainExactly listOf(past, past + hour.multipliedBy(3))

            instantsOfJobs().distinct() shouldHaveSize instantsOfJobs().size
        }

        test("ranges that cannot be backfilled are refused, and nothing is written") {
            save { cron("* * * * *") }
            save("off") { cron("@hourly") }
            ledger.run(
                "UPDATE runledger.job_schedules SET job_type = 'off', is_active = false WHERE name = 'off'",
                "INSERT INTO runledger.job_schedules (name, kind, interval_seconds, next_fire_at) VALUES ('poll', 'POLL', 60, now())",
            )
            val operator = ledger.client.actingAs("dana").schedules
            val before = contents()
            fun refused(code: ErrorCode, name: String, from: Instant, until: Instant, scope: Scope = global) {
                shouldRefuse(code) { operator.backfill(scope, name, from, until) }
                if (code != ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) {
                    shouldRefuse(code) { operator.previewBackfill(scope, name, from, until) }
                }
            }

            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", past, past)
            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", past + hour, past)
            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", past, later)
            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", later, later + hour)
            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", Instant.MIN, past)
            refused(ErrorCode.INVALID_BACKFILL_RANGE, "s", past, Instant.MAX)
            refused(ErrorCode.BACKFILL_TOO_LARGE, "s", past, past + Duration.ofMinutes(10_001))
            refused(ErrorCode.BACKFILL_TOO_LARGE, "s", Instant.EPOCH, past)
            refused(ErrorCode.SCHEDULE_NOT_FOUND, "none", past, past + hour)
            refused(ErrorCode.SCHEDULE_NOT_FOUND, "s", past, past + hour, Scope.organization(UUID.randomUUID()))
            refused(ErrorCode.INVALID_ARGUMENT, "poll", past, past + hour)
            refused(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE, "off", past, past + hour)

            contents() shouldBe before
            schedules.previewBackfill(global, "s", past, past + Duration.ofMinutes(10_000)).toFire() shouldBe 10_000
        }

        test("a range may end now by a clock that is a little ahead, and no instant fires before its time") {
            save { every(Duration.ofSeconds(1)).firstFireAt(past).active(false) }
            val now = Instant.parse(ledger.value("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"))

            val report = schedules.backfill(global, "s", now.minusSeconds(60), now.plusSeconds(50))

            report.fired() shouldBeGreaterThan 59
            ledger.value("SELECT count(*) FROM runledger.job_schedule_fires WHERE scheduled_for > fired_at") shouldBe "0"
            shouldRefuse(ErrorCode.INVALID_BACKFILL_RANGE) {
                schedules.backfill(global, "s", now.minusSeconds(60), now + Duration.ofHours(1))
            }
        }

        test("the action has its actor, its reason, its range and the number of instants, and its key works once") {
            save { cron("0 3 * * *") }
            val operator = ledger.client.actingAs("dana", "k1")
            val days = schedules.previewBackfill(global, "s", past, past + Duration.ofDays(300)).toFire()
            operator.schedules.backfill(global, "s", past, past + Duration.ofDays(300), "the outage").fired() shouldBe days

            val action = ledger.client.audit.list(Scope.everything()).items().single()
            action.kind() shouldBe OperatorActionKind.SCHEDULE_BACKFILL
            action.target() shouldBe OperatorTarget.schedule("s")
            action.reason() shouldBe "the outage"
            action.changed() shouldBe days.toLong()
            action.total() shouldBe days.toLong()
            action.finishedAt().shouldNotBeNull()
            action.details().text() shouldBe
                """{"from": "2025-01-01T00:00:00Z", "until": "2025-10-28T00:00:00Z", "include_fired": false}"""
            shouldThrow<ActionRepeatedException> {
                operator.schedules.backfill(global, "s", past, past + Duration.ofDays(310), "the outage")
            }
            instantsOfJobs() shouldHaveSize days
        }

        test("backfills of overlapping ranges at the same time fire no instant twice") {
            save { every(Duration.ofMinutes(1)).firstFireAt(past) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$later'")
            val minutes = Duration.ofMinutes(1)

            val reports = racing(4) { party ->
                val from = past + minutes.multipliedBy(party * 300L)
                schedules.backfill(global, "s", from, from + minutes.multipliedBy(1_500))
            }

            reports.sumOf { it.fired() } shouldBe 2_400
            instantsOfJobs() shouldHaveSize 2_400
            instantsOfJobs().distinct() shouldHaveSize 2_400
            lines(FireCause.BACKFILL).map { it.scheduledFor() }.distinct() shouldHaveSize 2_400
        }

        test("a backfill that dies between two transactions is completed by a repetition") {
            save { every(Duration.ofMinutes(1)).firstFireAt(past) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$later'")
            val until = past + Duration.ofMinutes(1_800)
            val dying = clientWith { if (it == 4) throw SQLException("The process is gone.", "08006") }

            shouldThrow<RunledgerException> { dying.actingAs("dana").schedules.backfill(global, "s", past, until) }
            instantsOfJobs() shouldHaveSize 1_000
            val halfDone = ledger.client.audit.list(Scope.everything()).items().single()
            halfDone.finishedAt() shouldBe null
            halfDone.changed() shouldBe 1_000
            halfDone.total() shouldBe 1_800

            schedules.backfill(global, "s", past, until) shouldBe BackfillReport(1_800, 800, 1_000, 0)
            instantsOfJobs().distinct() shouldHaveSize 1_800
        }

        test("a rule that changes during a backfill ends it; a payload that changes does not") {
            save { every(Duration.ofMinutes(1)).firstFireAt(past) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$later'")
            val until = past + Duration.ofMinutes(1_000)
            val edited = clientWith {
                if (it ==
                    3
                ) {
                    ledger.run("UPDATE runledger.job_schedules SET payload_template = '{\"n\":2}'")
                }
            }
            edited.schedules.backfill(global, "s", past, until).fired() shouldBe 1_000
            ledger.rows("SELECT payload ->> 'n', count(*) FROM runledger.job_queue GROUP BY 1 ORDER BY 1") shouldContainExactly
                listOf("1|500", "2|500")

            val slowed = clientWith { if (it == 3) ledger.run("UPDATE runledger.job_schedules SET interval_seconds = 61") }
            shouldRefuse(ErrorCode.DB_CONTENTION) {
                slowed.schedules.backfill(global, "s", past + Duration.ofDays(1), until + Duration.ofDays(1))
            }
            instantsOfJobs() shouldHaveSize 1_500
        }

        test("a schedule that is deleted during a backfill ends it") {
            save { every(Duration.ofMinutes(1)).firstFireAt(past) }
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '$later'")
            val deleted = clientWith { if (it == 3) schedules.delete(global, "s") }

            shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) {
                deleted.schedules.backfill(
                    global,
                    "s",
                    past,
                    past + Duration.ofMinutes(900),
                )
            }

            instantsOfJobs() shouldHaveSize 500
        }

        test("in the caller's transaction a backfill is committed and rolled back with it") {
            save { cron("0 3 * * *") }
            val before = contents()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val joined = ledger.client.within(connection)
                joined.schedules.backfill(global, "s", past, past + Duration.ofDays(3)).fired() shouldBe 3
                joined.schedules.backfill(global, "s", past, past + Duration.ofDays(3)).fired() shouldBe 0
                connection.rollback()
            }

            contents() shouldBe before
        }
    })
