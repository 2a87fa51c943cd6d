package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.date.shouldBeAfter
import io.kotest.matchers.shouldBe
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.run.PausedRun
import io.runledger.model.run.RetryFailedRequest
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** A pause in the caller's transaction, and a pause that waits for other transactions. */
class PauseTransactionsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun pause(run: UUID) = flow.client.workflows.pause(everything, run, "look first")

        test("a retry of a run that ended while it was paused starts at once, unless it is paused in the same transaction") {
            fun failed(): UUID {
                val run = flow.start { work("a") }
                val claimed = flow.claim().getValue("a")
                pause(run)
                flow.fail(claimed)
                return run
            }
            val free = failed()
            flow.client.workflows.retryFailed(everything, RetryFailedRequest(free, "again", "mended"))
            flow.claim().keys shouldBe setOf("a")
            val held = failed()

            flow.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val joined = flow.client.within(connection)
                joined.workflows.retryFailed(everything, RetryFailedRequest(held, "again", "mended"))
                joined.workflows.pause(everything, held).result() shouldBe PausedRun.Result.PAUSED
                connection.commit()
            }

            flow.claim().keys.shouldBeEmpty()
            flow.client.workflows.resume(everything, held)
            flow.claim().keys shouldBe setOf("a")
        }

        test("in the caller's transaction it holds at once, and nothing is left of it when that is rolled back") {
            val run = flow.start { work("a") }
            flow.joined(Connection.TRANSACTION_READ_COMMITTED) { ledger ->
                ledger.workflows.pause(everything, run).result() shouldBe PausedRun.Result.PAUSED
                flow.claim().keys.shouldBeEmpty()
            }

            flow.client.workflows.runEvents(everything, run).shouldBeEmpty()
            flow.claim().keys shouldBe setOf("a")
        }

        test("a job of a resumed run is leased after the resume, also by a transaction that began before it") {
            val run = flow.start { work("a") }
            pause(run)

            flow.joined(Connection.TRANSACTION_READ_COMMITTED) { claimer ->
                claimer.workflows.runEvents(everything, run)
                flow.client.workflows.resume(everything, run)
                val claim = ClaimRequest.of(listOf(Flow.TYPE), "w1", Duration.ofMinutes(1), 1)
                val leasedAt = claimer.leases.claim(claim).single().leasedAt()

                leasedAt shouldBeAfter flow.client.workflows.runEvents(everything, run).last().occurredAt()
            }
        }

        test("while it waits for a job it holds no step") {
            val run = flow.start { work("a") }
            val job = flow.jobOf(run, "a")

            flow.ledger.database.connect().use { holder ->
                holder.autoCommit = false
                holder.createStatement().use { it.execute("SELECT FROM runledger.job_queue WHERE id = '$job' FOR UPDATE") }
                racing(2) { party ->
                    if (party == 0) {
                        pause(run)
                    } else {
                        flow.ledger.awaitLockWait()
                        flow.ledger.rows("SELECT id FROM runledger.workflow_step_rows WHERE job_id = '$job' FOR UPDATE NOWAIT")
                        holder.rollback()
                    }
                }
            }

            flow.claim().keys.shouldBeEmpty()
        }

        test("jobs that are released while it waits for the run are paused too") {
            val run = flow.start { work("b", work("a")) }
            val claimed = flow.claim().getValue("a")

            flow.ledger.database.connect().use { settler ->
                settler.autoCommit = false
                flow.client.within(settler).leases.settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                racing(2) { party ->
                    if (party == 0) {
                        pause(run)
                    } else {
                        flow.ledger.awaitLockWait()
                        settler.commit()
                    }
                }
            }

            flow.steps(run) shouldContainExactly listOf("a SUCCEEDED", "b ENQUEUED")
            flow.claim().keys.shouldBeEmpty()
        }
    })
