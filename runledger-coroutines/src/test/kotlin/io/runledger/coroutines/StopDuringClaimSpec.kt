package io.runledger.coroutines

import io.runledger.coroutines.worker.WorkerParts
import io.runledger.coroutines.claim.WholeShare

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.worker.WorkerRun
import io.runledger.model.job.JobType
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withTimeoutOrNull

private val greet = JobType.of("greet", Any::class.java)

class StopDuringClaimSpec :
    FunSpec({
        test("a claim that is under way when the worker stops does not lease the released jobs again") {
            runTest {
                val store = ScriptedStore()
                val job = claimedJob()
                store.queue += job
                val isReleased = CompletableDeferred<Unit>()
                val isClaiming = CompletableDeferred<Unit>()
                val isStarted = CompletableDeferred<Unit>()
                // The second claim is slow, and finds all jobs that were released before it returns.
                store.onClaim = {
                    if (store.claims.size > 1) {
                        isClaiming.complete(Unit)
                        if (withTimeoutOrNull(500.milliseconds) { isReleased.await() } != null) store.queue += job
                    }
                }
                store.onReleased = { isReleased.complete(Unit) }
                val dispatcher = StandardTestDispatcher(testScheduler)
                val config = quick()
                val run = WorkerRun(
                    config,
                    WorkerParts(
                    store.ports, NoLedger,
                    handlers {
                        on(greet) {
                            isStarted.complete(Unit)
                            awaitCancellation()
                        }
                    },
                    config, emptyList(), emptyList(), emptyList(), emptyList(), dispatcher, dispatcher, testScheduler.timeSource, WholeShare(),
                    ),
                )
                val worker = async { run.run() }
                isStarted.await()
                isClaiming.await()

                run.requestStop()
                val report = worker.await()

                report.released shouldBe 1
                store.released.flatten() shouldHaveSize 1
            }
        }
    })
