package io.runledger.coroutines.loop

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Overheard
import io.runledger.coroutines.housekeeping.GateLoop
import io.runledger.coroutines.housekeeping.JanitorLoop
import io.runledger.coroutines.housekeeping.ReaperLoop
import io.runledger.coroutines.housekeeping.SchedulerLoop
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.SchemaException
import io.runledger.model.error.UnavailableException
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.ReapedJob
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PrunedRuns
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.SchedulePass
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

@OptIn(ExperimentalCoroutinesApi::class)
class ClockLoopsSpec :
    FunSpec({
        fun TestScope.observers() = Observers(emptyList(), backgroundScope)

        fun reaped() = claimedJob().let {
            ReapedJob(it.lease(), it.jobType(), null, ReapedJob.Result.RETRY_SCHEDULED, null, null)
        }

        val refused = InvalidRequestException(ErrorCode.DB_STILL_REFERENCED, "A row is still referred to.")

        test("the reaper drains full batches at once and then waits for its interval") {
            runTest {
                val store = ScriptedStore()
                var expired = 1_200
                store.onReap = { List(minOf(expired, 500)) { reaped() }.also { expired -= it.size } }
                val loop = ReaperLoop(15.seconds, 30.seconds, store, observers(), ticker())
                backgroundScope.launch { loop.run() }

                runCurrent()
                store.asked shouldContainExactly List(3) { "reap" }
                advanceTimeBy(15.seconds + 1.milliseconds)
                store.asked.size shouldBe 4
            }
        }

        test("a loop survives failures, more and more patiently, and goes on when they end") {
            runTest {
                val store = ScriptedStore()
                var calls = 0
                store.onReap = { if (++calls < 20) away() else emptyList() }
                val loop = ReaperLoop(15.seconds, 30.seconds, store, observers(), ticker())
                backgroundScope.launch { loop.run() }

                advanceTimeBy(1.minutes)
                val afterOneMinute = calls
                advanceTimeBy(2.minutes)

                (afterOneMinute < 20) shouldBe true
                (calls >= 20) shouldBe true
            }
        }

        test("the scheduler sleeps until the next schedule is due, and no longer than its interval") {
            runTest {
                val store = ScriptedStore()
                val loop = SchedulerLoop(30.seconds, store, observers(), ticker())

                loop.runOnce() shouldBe 30.seconds
                store.untilNextFire = JavaDuration.ofSeconds(7)
                loop.runOnce() shouldBe 7.seconds + 1.milliseconds
                store.untilNextFire = JavaDuration.ofHours(7)
                loop.runOnce() shouldBe 30.seconds
                store.asked shouldContainExactly List(3) { "until fire" }
            }
        }

        test("the scheduler fires what is due and looks again at once") {
            runTest {
                val store = ScriptedStore()
                store.untilNextFire = JavaDuration.ZERO
                store.onFire = { SchedulePass(3, emptyList(), emptyList(), emptyList()) }

                SchedulerLoop(30.seconds, store, observers(), ticker()).runOnce() shouldBe Duration.ZERO

                store.asked shouldContainExactly listOf("until fire", "fire")
            }
        }

        test("a schedule that another scheduler is firing is not asked for without a pause") {
            runTest {
                val store = ScriptedStore()
                store.untilNextFire = JavaDuration.ZERO

                (SchedulerLoop(30.seconds, store, observers(), ticker()).runOnce() > Duration.ZERO) shouldBe true
            }
        }

        test("gates that ran out are ended, full batches at once") {
            runTest {
                val store = ScriptedStore()
                var gates = 501
                store.onExpire = { limit ->
                    List(minOf(gates, limit)) { ExpiredGate(UUID.randomUUID(), "approval", WorkflowStepStatus.FAILED) }
                        .also { gates -= it.size }
                }
                val loop = GateLoop(30.seconds, store, observers(), ticker())

                loop.runOnce() shouldBe Duration.ZERO
                loop.runOnce() shouldBe 30.seconds
            }
        }

        test("one look is enough while no gate runs out and no run holds an active key") {
            runTest {
                val store = ScriptedStore().apply { needUpkeep = false }

                GateLoop(30.seconds, store, observers(), ticker()).runOnce() shouldBe 30.seconds

                store.asked shouldContainExactly listOf("need upkeep")
            }
        }

        test("the janitor goes through every status in batches, then rests") {
            runTest {
                val store = ScriptedStore()
                val pruned = mutableListOf<String>()
                store.onPrune = { request ->
                    pruned += "${request.statuses().single()} ${request.olderThan().toDays()}d"
                    val isFirst = request.after() == null && request.statuses().single() == JobStatus.SUCCEEDED
                    PruneReport(0, 0, 0, 0, 0, emptyList(), "there".takeIf { isFirst })
                }
                val kept = mapOf(
                    JobStatus.SUCCEEDED to JavaDuration.ofDays(7),
                    JobStatus.CANCELED to JavaDuration.ofDays(30),
                )
                val loop = JanitorLoop(10.minutes, kept, emptyMap(), null, null, null, store, ticker())

                repeat(3) { loop.runOnce() shouldBe Duration.ZERO }
                loop.runOnce() shouldBe 10.minutes

                pruned shouldContainExactly listOf("SUCCEEDED 7d", "SUCCEEDED 7d", "CANCELED 30d")
            }
        }

        test("the janitor goes through ended runs too, after the jobs, and goes on where a batch left off") {
            runTest {
                val store = ScriptedStore()
                val last = "there"
                val pruned = mutableListOf<String>()
                store.onPruneRuns = { request ->
                    pruned += "${request.statuses().single()} ${request.olderThan().toDays()}d after ${request.after()}"
                    PrunedRuns(100, 100, emptyList(), last.takeIf { request.after() == null })
                }
                val jobs = mapOf(JobStatus.SUCCEEDED to JavaDuration.ofDays(7))
                val runs = mapOf(WorkflowRunStatus.CANCELED to JavaDuration.ofDays(30))
                val loop = JanitorLoop(10.minutes, jobs, runs, null, null, null, store, ticker())

                repeat(3) { loop.runOnce() shouldBe Duration.ZERO }
                loop.runOnce() shouldBe 10.minutes

                store.asked shouldContainExactly listOf("prune", "prune runs", "prune runs", "prune limit keys")
                pruned shouldContainExactly listOf("CANCELED 30d after null", "CANCELED 30d after $last")
            }
        }

        test("a chore that is refused or fails is left for the next round, and the janitor goes on with the others") {
            runTest {
                val store = ScriptedStore()
                val calls = ArrayDeque<() -> Unit>(listOf({ throw refused }, { away() }))
                store.onPrune = {
                    calls.removeFirstOrNull()?.invoke()
                    PruneReport(0, 0, 0, 0, 0, emptyList(), null)
                }
                val kept = mapOf(JobStatus.SUCCEEDED to JavaDuration.ofDays(7), JobStatus.CANCELED to JavaDuration.ofDays(30))
                val runs = mapOf(WorkflowRunStatus.CANCELED to JavaDuration.ofDays(30))
                val loop = JanitorLoop(10.minutes, kept, runs, null, null, null, store, ticker())

                loop.runOnce() shouldBe Duration.ZERO
                shouldThrow<UnavailableException> { loop.runOnce() }
                loop.runOnce() shouldBe Duration.ZERO
                loop.runOnce() shouldBe 10.minutes
                repeat(4) { loop.runOnce() }

                val keys = "prune limit keys"
                store.asked shouldContainExactly listOf("prune runs", keys, "prune", "prune", "prune runs", keys)
            }
        }

        test("a janitor whose role may not delete history says so once and goes on with what it may") {
            runTest {
                val store = ScriptedStore()
                store.onPrune = { throw SchemaException(ErrorCode.PERMISSION_DENIED, "no") }
                val kept = mapOf(JobStatus.SUCCEEDED to JavaDuration.ofDays(7))
                val day = JavaDuration.ofDays(1)
                val loop = JanitorLoop(10.minutes, kept, emptyMap(), day, day, day, store, ticker())

                val overheard = Overheard.during {
                    loop.runOnce() shouldBe Duration.ZERO
                    repeat(3) {
                        loop.runOnce() shouldBe Duration.ZERO
                        loop.runOnce() shouldBe 10.minutes
                    }
                }

                store.asked shouldContainExactly List(3) { listOf("prune workers", "prune limit keys") }.flatten()
                overheard.lines.filter { "may not delete history" in it }.size shouldBe 1
            }
        }

        test("the janitor goes through the history of schedules until a batch is not full") {
            runTest {
                val store = ScriptedStore()
                val batches = ArrayDeque(listOf(500, 500, 3))
                store.onPruneFires = { batches.removeFirst() }
                val loop = JanitorLoop(10.minutes, emptyMap(), emptyMap(), JavaDuration.ofDays(90), null, null, store, ticker())

                repeat(3) { loop.runOnce() shouldBe Duration.ZERO }
                loop.runOnce() shouldBe 10.minutes

                store.asked shouldContainExactly List(3) { "prune fires" } + "prune limit keys"
            }
        }
    })
