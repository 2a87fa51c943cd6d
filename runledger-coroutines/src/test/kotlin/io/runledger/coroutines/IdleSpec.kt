package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.runledger.coroutines.claim.WholeShare
import io.runledger.coroutines.hook.Hook
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.worker.WorkerParts
import io.runledger.coroutines.worker.WorkerRun
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimRequest
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runTest
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.minutes

private val greet = JobType.of("greet", String::class.java)

@OptIn(ExperimentalCoroutinesApi::class)
class IdleSpec :
    FunSpec({
        /** How often a whole idle worker, every loop on, asks the ledger in a minute, by a clock that the test moves. */
        suspend fun callsPerMinute(hasHints: Boolean, hooks: List<Hook> = emptyList()): Int {
            val store = ScriptedStore().apply { this.hasHints = hasHints }
            var calls = 0
            runTest {
                val dispatcher = StandardTestDispatcher(testScheduler)
                val config = WorkerConfig.defaults()
                val run = WorkerRun(
                    config,
                    WorkerParts(
                        store.ports, NoLedger,
                        handlers {
                            on(greet) { }
                        },
                        config, emptyList(), emptyList(), hooks, emptyList(), dispatcher,
                        dispatcher, testScheduler.timeSource, WholeShare(),
                    ),
                )
                val worker = launch { run.run() }
                advanceTimeBy(10.minutes)
                store.asked.clear()
                advanceTimeBy(10.minutes)
                calls = store.asked.size
                run.requestStop()
                worker.join()
            }
            return calls / 10
        }

        test("an idle worker with every loop on makes a handful of calls per minute") {
            val calls = callsPerMinute(hasHints = true)

            calls shouldBeGreaterThan 0
            calls shouldBeLessThanOrEqual 16
        }

        test("without notifications it looks more often, and still not much") {
            callsPerMinute(hasHints = false) shouldBeLessThanOrEqual 38
        }

        test("a dead-letter hook adds two calls per minute") {
            val hook = Hook("pager", listOf("greet")) { }

            callsPerMinute(hasHints = true, listOf(hook)) shouldBeLessThanOrEqual callsPerMinute(hasHints = true) + 2
        }

        test("each of those calls is one statement") {
            val ledger = freshLedger()
            ledger.define(greet)
            val counting = CountingDataSource(ledger.pool)
            val client = ledger.clientOn(counting.dataSource)
            val card = WorkerCard(UUID.randomUUID(), "w", emptySet(), emptyList(), 1, "1", null, "h", 1, Duration.ofSeconds(30))
            val worker = WorkerLedger.of(client)
            worker.fleet.enter(card)
            val calls = listOf<() -> Unit>(
                { worker.leases.untilDue(listOf("greet")) },
                { worker.leases.claim(ClaimRequest.of(listOf("greet"), "w", Duration.ofMinutes(1), 1)) },
                { worker.schedules.untilNextFire() },
                { worker.leases.reap(10, Duration.ofSeconds(1)) },
                { worker.upkeep.expireGates(10) },
                { worker.upkeep.releaseActiveKeys(10) },
                { worker.fleet.beat(card.id(), WorkerState.WORKING, 0) },
                { worker.hooks.take("pager", listOf("greet"), 10, Duration.ofMinutes(1)) },
            )
            calls.forEach { it() }
            val warm = counting.sent.size

            calls.forEach { it() }

            (counting.sent.size - warm) shouldBeLessThanOrEqual calls.size + 2
        }
    })
