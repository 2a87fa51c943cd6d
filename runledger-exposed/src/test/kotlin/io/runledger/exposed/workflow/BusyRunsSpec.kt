package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration

/** Settles steps while another session holds their run, or after the run was deleted. */
class BusyRunsSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a settlement answers BUSY while the run is held, succeeds after, and its neighbours do not wait") {
            val held = flow.start {
                val a = work("a")
                work("next", a)
            }
            val free = flow.start { work("b") }
            val claimed = flow.claim()

            val settled = flow.holding(held) {
                flow.client.leases.settle(
                    listOf("a", "b").associate { claimed.getValue(it).lease() to Verdict.Succeed(null) },
                )
            }

            settled.map { it.result() }.shouldContainExactly(SettledJob.Result.BUSY, SettledJob.Result.SUCCEEDED)
            flow.steps(held).shouldContainExactly("a RUNNING", "next BLOCKED")
            flow.status(free) shouldBe "SUCCEEDED"
            flow.succeed(claimed.getValue("a")).result() shouldBe SettledJob.Result.SUCCEEDED
            flow.finish("next")
            flow.status(held) shouldBe "SUCCEEDED"
        }

        test("a settlement is told that the run is held until the run is free, and goes on then") {
            val run = flow.start {
                val a = work("a")
                work("next", a)
            }
            val claimed = flow.claim().getValue("a")

            val (settled, _) = flow.ledger.database.connect().use { holder ->
                holder.autoCommit = false
                holder.createStatement().use {
                    it.execute("SELECT FROM runledger.workflow_runs WHERE id = '$run' FOR NO KEY UPDATE")
                }
                racing(2) { party ->
                    if (party == 0) {
                        flow.settleSurely(claimed)
                    } else {
                        flow.ledger.awaitLockWait()
                        holder.rollback()
                    }
                }
            }

            settled shouldBe SettledJob.Result.SUCCEEDED
            flow.steps(run).shouldContainExactly("a SUCCEEDED", "next ENQUEUED")
            flow.finish("next")
        }

        test("a job that ends while its run is being canceled is lost, and the run stays canceled") {
            val run = flow.start {
                val a = work("a")
                work("next", a.onTerminal())
            }
            val claimed = flow.claim().getValue("a")

            val (settled, _) = flow.ledger.database.connect().use { canceler ->
                canceler.autoCommit = false
                flow.client.within(canceler).workflows.cancel(Scope.everything(), run, "stop")
                racing(2) { party ->
                    if (party == 0) {
                        flow.settleSurely(claimed)
                    } else {
                        flow.ledger.awaitLockWait()
                        canceler.commit()
                    }
                }
            }

            settled shouldBe SettledJob.Result.LOST
            flow.steps(run).shouldContainExactly("a CANCELED", "next CANCELED")
            flow.status(run) shouldBe "CANCELED"
        }

        test(
            "in a caller's transaction a held run is a refusal, which leaves the transaction and its lock timeout as they were",
        ) {
            val run = flow.start { work("a") }
            val claimed = flow.claim().getValue("a")

            flow.holding(run) {
                flow.ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '7s'") }
                    shouldRefuse(ErrorCode.RELEASE_CONFLICT) {
                        flow.client.within(connection).leases
                            .settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                    }
                    connection.lockTimeout() shouldBe "7s"
                    connection.rollback()
                }
            }
            flow.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '7s'") }
                flow.client.within(connection).leases.settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                connection.lockTimeout() shouldBe "7s"
                connection.commit()
            }

            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a caller who waits less for locks than the library is not made to wait longer") {
            val run = flow.start { work("a") }
            val claimed = flow.claim().getValue("a")

            flow.holding(run) {
                flow.ledger.database.connect().use { connection ->
                    connection.autoCommit = false
                    // Were the caller's lock timeout made longer, the statement would be ended for another reason.
                    connection.createStatement().use {
                        it.execute("SET LOCAL lock_timeout = '1ms'; SET LOCAL statement_timeout = '1s'")
                    }
                    shouldRefuse(ErrorCode.RELEASE_CONFLICT) {
                        flow.client.within(connection).leases
                            .settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                    }
                    connection.rollback()
                }
            }

            flow.succeed(claimed).result() shouldBe SettledJob.Result.SUCCEEDED
        }

        test("a job whose run was deleted can still be settled, canceled and reaped") {
            val run = flow.start {
                work("settled")
                work("continued")
                work("canceled")
                work("reaped") { maxAttempts(1) }
            }
            val claimed = flow.claim()
            flow.ledger.run("DELETE FROM runledger.workflow_runs WHERE id = '$run'")
            val continued = Verdict.Continue(null, null, Duration.ofDays(1))

            flow.succeed(claimed.getValue("settled")).result() shouldBe SettledJob.Result.SUCCEEDED
            flow.settle(claimed.getValue("continued"), continued).result() shouldBe SettledJob.Result.CONTINUED
            flow.client.jobs.cancel(Scope.everything(), claimed.getValue("canceled").lease().jobId())
            flow.expireLease(claimed.getValue("reaped").lease().jobId())

            flow.client.leases.reap(10, Duration.ofMillis(1)).map { it.result() }
                .shouldContainExactly(ReapedJob.Result.DEAD_LETTERED)
            flow.ledger.rows("SELECT DISTINCT status FROM runledger.job_queue WHERE status IN ('LEASED')").shouldBeEmpty()

            flow.contradictions().single() shouldStartWith "job.step"
            flow.client.jobs.cancel(Scope.everything(), claimed.getValue("continued").lease().jobId())
        }
    })

private fun Connection.lockTimeout(): String = createStatement().use { statement ->
    statement.executeQuery("SHOW lock_timeout").use {
        it.next()
        it.getString(1)
    }
}
