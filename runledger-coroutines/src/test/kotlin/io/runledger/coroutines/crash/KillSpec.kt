package io.runledger.coroutines.crash

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.Witness
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.until
import io.runledger.coroutines.working
import io.runledger.model.json.Json
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.JobStatus
import io.runledger.model.state.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

class KillSpec :
    FunSpec({
        /** Lets a second worker take over, once the first one's lease of two seconds has run out. */
        suspend fun TestLedger.inherit(test: suspend (Witness) -> Unit) = working(
            client,
            handlers { on(wait) { "inherited" } },
            quick {
                workerId("heir").reaper(true).reaperInterval(Duration.ofMillis(50)).reaperRetryDelay(Duration.ofMillis(1))
            },
            test = test,
        )

        fun TestLedger.attempts(id: UUID) = client.jobs.story(Scope.everything(), id).attempts()
            .map { "${it.attempt()} ${it.outcome()} ${it.workerId()}" }

        test("a job whose worker is killed is finished by another one, and its story shows both attempts") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.kill()
            }
            ledger.job(id).status() shouldBe JobStatus.LEASED

            ledger.inherit {
                it.await("succeeded", id)
                it.of(id) shouldContainExactly listOf("reaped", "claimed", "started", "succeeded")
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
            ledger.job(id).output() shouldBe Json.of("\"inherited\"")
        }

        test("a worker that slept through its lease cannot end the job that another one has ended") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.freeze()
                ledger.inherit { it.await("succeeded", id) }

                doomed.tell("go on")
                doomed.wake()
                doomed.await("lost $id")
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
            ledger.job(id).output() shouldBe Json.of("\"inherited\"")
        }

        test("a dead letter whose worker is killed before its hook has taken it is handed over by another one") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(HookingProgram::class, ledger.database).use { doomed ->
                doomed.await("handed $id")
                doomed.kill()
            }
            ledger.job(id).status() shouldBe JobStatus.DEAD_LETTERED

            val handed = CompletableDeferred<UUID>()
            working(
                ledger.client,
                handlers {
                    on(wait) { }
                },
                settings = { onDeadLetter("pager") { handed.complete(it.jobId()) } },
            ) {
                withTimeout(60.seconds) { handed.await() } shouldBe id
            }
        }

        test("a poll whose worker is killed is done by another one, and what it finds is started once") {
            val ledger = freshLedger()
            ledger.define(wait)
            DoomedJvm.start(PollingProgram::class, ledger.database).use { doomed ->
                doomed.await("polled")
                doomed.kill()
            }

            working(
                ledger.client,
                handlers { on(wait) { } },
                settings = { trigger("files", every = 1.seconds) { fire("a", wait, "") } },
            ) { witness ->
                witness.await("succeeded")
                until("it was polled again") {
                    ledger.client.schedules.fires("files", Scope.global()).any { it.outcome() == FireOutcome.SKIPPED_DUPLICATE }
                }
            }
            ledger.client.schedules.fires("files", Scope.global()).count { it.outcome() == FireOutcome.FIRED } shouldBe 1
            ledger.client.verify().isSound shouldBe true
        }
    })
