package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ScheduleChangesSpec :
    FunSpec({
        val ledger = freshLedger()
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val past = Instant.parse("2026-01-01T00:00:00Z")
        val later = Instant.parse("2199-01-01T00:00:00Z")

        fun save(name: String = "poll", settings: ScheduleRequest.Builder.() -> Unit = {}) = schedules.upsert(
            ScheduleRequest.builder(name, "report", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).apply(settings).build(),
        )

        fun databaseNow() = ledger.rows("SELECT extract(epoch FROM clock_timestamp())::bigint").single().toLong()

        beforeSpec { ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('report')") }
        beforeTest { ledger.run("DELETE FROM runledger.job_schedules", "DELETE FROM runledger.job_queue") }

        test("a paused schedule does not fire; resumed, it goes on after now without making up for the pause") {
            val policies = listOf<ScheduleRequest.Builder.() -> Unit>(
                { skipMisfires() },
                { fireOnceForMisfires() },
                { fireAllMisfires(100) },
            )
            policies.forEach { policy ->
                save {
                    firstFireAt(past)
                    policy()
                }
                schedules.pause(global, "poll").active() shouldBe false
                schedules.pause(global, "poll").active() shouldBe false
                due.fire(10).schedules() shouldBe 0

                val resumed = schedules.resume(global, "poll")

                resumed.active() shouldBe true
                resumed.nextFireAt().epochSecond shouldBeGreaterThan databaseNow()
                resumed.nextFireAt().epochSecond % 3_600 shouldBe 0
                due.fire(10).schedules() shouldBe 0
                schedules.resume(global, "poll") shouldBe resumed
                schedules.delete(global, "poll") shouldBe true
            }
        }

        test("resuming keeps a cursor that is still ahead, and an overdue one of a schedule that was not paused") {
            save { firstFireAt(later) }
            schedules.pause(global, "poll")
            schedules.resume(global, "poll").nextFireAt() shouldBe later

            schedules.retime(global, "poll", past)
            schedules.resume(global, "poll").nextFireAt() shouldBe past
        }

        test("a sync that wakes a paused schedule does not make up for the pause either") {
            save { firstFireAt(past) }
            val request = ScheduleRequest.builder("poll", "report", Json.EMPTY_OBJECT).every(Duration.ofHours(1))
            schedules.sync(global, listOf(request.active(false).build()))

            schedules.sync(
                global,
                listOf(request.active(true).build()),
            ).synced().single().nextFireAt().epochSecond shouldBeGreaterThan
                databaseNow()
        }

        test("retimed, it fires exactly then, and an interval counts from there") {
            save { jitter(Duration.ofMinutes(5)) }
            schedules.retime(global, "poll", later).nextFireAt() shouldBe later
            save("plain") { firstFireAt(past) }
            schedules.retime(global, "plain", later)

            schedules.upcoming(global, "plain", 3) shouldContainExactly
                listOf(later, later.plusSeconds(3_600), later.plusSeconds(7_200))
        }

        test("a time that no row can hold is refused, and the schedule stays as it is") {
            save { firstFireAt(later) }

            listOf(Instant.MIN, Instant.MAX, Instant.parse("-4713-11-23T23:59:59Z")).forEach {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { schedules.retime(global, "poll", it) }
            }

            schedules.get(global, "poll").nextFireAt() shouldBe later
        }

        test("a schedule fired by hand makes a job at once, notes it, and its rhythm stays") {
            val organization = UUID.randomUUID()
            val scope = Scope.organization(organization)
            val saved = save { organization(organization).firstFireAt(later).active(false) }

            val fire = schedules.fireNow(scope, "poll", "The customer waits.")
            val again = schedules.fireNow(scope, "poll")
            again.jobId() shouldNotBe fire.jobId()

            val after = schedules.get(scope, "poll")
            after.nextFireAt() shouldBe saved.nextFireAt()
            after.lastFiredAt() shouldBe null
            after.lastJobId() shouldBe again.jobId()
            schedules.fires(scope, "poll").items() shouldContainExactly listOf(again, fire)
            fire.cause() shouldBe FireCause.OPERATOR
            fire.reason() shouldBe "The customer waits."
            ledger.value(
                "SELECT status, stage, organization_id, payload -> '_schedule' ->> 'schedule_name' FROM runledger.job_queue " +
                    "WHERE id = '${fire.jobId()}'",
            ) shouldBe "PENDING|scheduled|$organization|poll"
        }

        test("a fire by hand of a disabled type is refused") {
            ledger.run("INSERT INTO runledger.job_definitions (job_type, is_enabled) VALUES ('off', false)")
            schedules.upsert(ScheduleRequest.builder("off", "off", Json.NULL).cron("@daily").active(false).build())

            shouldRefuse(ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE) { schedules.fireNow(global, "off") }
        }

        test("outside its scope a schedule does not exist") {
            val mine = UUID.randomUUID()
            save { organization(mine).firstFireAt(later) }
            listOf(global, Scope.organization(UUID.randomUUID())).forEach { foreign ->
                schedules.find(foreign, "poll") shouldBe null
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.get(foreign, "poll") }
                schedules.list(foreign).items() shouldBe emptyList()
                schedules.fires(foreign, "poll").items() shouldBe emptyList()
                schedules.delete(foreign, "poll") shouldBe false
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.pause(foreign, "poll") }
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.resume(foreign, "poll") }
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.retime(foreign, "poll", past) }
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.fireNow(foreign, "poll") }
                shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { schedules.upcoming(foreign, "poll", 1) }
            }
            listOf(Scope.organization(mine), Scope.everything()).forEach { inside ->
                schedules.get(inside, "poll").nextFireAt() shouldBe later
                schedules.list(inside).items().map { it.name() } shouldContainExactly listOf("poll")
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
        }

        test("lists come by name, page by page") {
            listOf("c", "a", "b").forEach { save(it) }

            val first = schedules.list(global, 2)
            first.items().map { it.name() } shouldContainExactly listOf("a", "b")
            val second = schedules.list(global, 2, first.next())
            second.items().map { it.name() } shouldContainExactly listOf("c")
            second.hasNext() shouldBe false
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { schedules.list(global, 0) }
        }

        test("a deleted schedule takes its fires along and leaves its jobs") {
            save { firstFireAt(past) }
            due.fire(10).fired().size shouldBe 1

            schedules.delete(global, "poll") shouldBe true
            schedules.delete(global, "poll") shouldBe false

            ledger.value("SELECT count(*) FROM runledger.job_schedule_fires") shouldBe "0"
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
        }
    })
