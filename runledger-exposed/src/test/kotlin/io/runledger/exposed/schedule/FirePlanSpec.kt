package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.json.Json
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleKind
import java.time.Duration
import java.time.Instant
import java.util.UUID

class FirePlanSpec :
    FunSpec({
        val noon = Instant.parse("2026-02-01T12:00:00Z")

        fun minute(at: Long) = noon.plusSeconds(60 * at)

        fun plan(
            misfires: MisfirePolicy,
            limit: Int = 1,
            overlap: OverlapPolicy = OverlapPolicy.ALLOW,
            isLive: Boolean = false,
            deferredFrom: Instant? = null,
            now: Instant,
        ): FirePlan {
            val interval = Duration.ofSeconds(60)
            val schedule = Schedule(
                UUID(0, 0),
                "s",
                ScheduleKind.JOB,
                "t",
                null,
                null,
                null,
                null,
                interval,
                "UTC",
                Duration.ZERO,
                misfires,
                limit,
                overlap,
                1,
                true,
                null,
                Json.NULL,
                emptyMap(),
                noon,
                deferredFrom,
                null,
                null,
                null,
                null,
                null,
                noon,
                null,
                noon,
                noon,
            )
            return FirePlan.of(schedule, IntervalRecurrence(noon, interval), now, isLive)
        }

        fun FirePlan.told() = instants.joinToString(" ") {
            "${Duration.between(noon, it.scheduledFor).toMinutes()}:${it.outcome}"
        }

        test("a fire in time is a fire under every policy") {
            MisfirePolicy.entries.forEach { policy ->
                val plan = plan(policy, limit = 5, now = noon.plusSeconds(7))
                plan.told() shouldBe "0:FIRED"
                plan.next shouldBe minute(1)
            }
        }

        test("ONE fires the oldest, and one line tells that it forgets the rest") {
            val plan = plan(MisfirePolicy.ONE, now = minute(90))
            plan.told() shouldBe "0:FIRED 1:SKIPPED_MISFIRE"
            plan.instants.last().reason.orEmpty() shouldContain "${minute(90)}"
            plan.next shouldBe minute(91)
        }

        test("ALL fires the oldest up to its limit and notes where it stopped") {
            plan(MisfirePolicy.ALL, limit = 3, now = minute(90)).told() shouldBe "0:FIRED 1:FIRED 2:FIRED 3:SKIPPED_MISFIRE"
            plan(MisfirePolicy.ALL, limit = 3, now = minute(2)).told() shouldBe "0:FIRED 1:FIRED 2:FIRED"
            plan(MisfirePolicy.ALL, limit = 3, now = minute(90)).next shouldBe minute(91)
        }

        test("SKIP forgets what is more than a minute late, and fires what is not") {
            plan(MisfirePolicy.SKIP, now = noon.plusSeconds(59)).told() shouldBe "0:FIRED"
            plan(MisfirePolicy.SKIP, now = minute(90).plusSeconds(30)).told() shouldBe "90:FIRED 0:SKIPPED_MISFIRE"
        }

        test("an instant that was deferred comes first, as late as it is") {
            val hourBefore = minute(-60)
            plan(MisfirePolicy.ONE, deferredFrom = hourBefore, now = noon).told() shouldBe "-60:FIRED 0:SKIPPED_MISFIRE"
            plan(MisfirePolicy.SKIP, deferredFrom = hourBefore, now = noon).told() shouldBe "0:FIRED -60:SKIPPED_MISFIRE"
            plan(MisfirePolicy.SKIP, deferredFrom = noon.minusSeconds(30), now = noon).told() shouldBe "0:FIRED"
        }

        test("while the last job is live, overlap SKIP makes none") {
            plan(MisfirePolicy.ONE, overlap = OverlapPolicy.SKIP, isLive = true, now = noon).told() shouldBe "0:SKIPPED_OVERLAP"
            plan(MisfirePolicy.ONE, overlap = OverlapPolicy.SKIP, isLive = false, now = noon).told() shouldBe "0:FIRED"
            plan(MisfirePolicy.ONE, overlap = OverlapPolicy.ALLOW, isLive = true, now = noon).told() shouldBe "0:FIRED"
            plan(MisfirePolicy.ALL, 2, OverlapPolicy.SKIP, now = minute(1)).told() shouldBe "0:FIRED 1:SKIPPED_OVERLAP"
        }
    })
