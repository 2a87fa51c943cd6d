package io.runledger.exposed.operator

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobSelection
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

/** An action on more jobs than one transaction changes. */
class BatchProgressSpec :
    FunSpec({
        val global = Scope.global()
        val all = JobSelection.ofType(Bench.TYPE)
        val unfinished = AuditQuery.builder().unfinished().build()

        /** Cancels 1,200 jobs, and runs [work] while the last of three batches waits for a job that another session holds. */
        fun Bench.cancelingAll(work: () -> Unit): CompletableFuture<Long> {
            val ids = enqueue(1_200)
            // The last one in the order of a claim.
            set(ids.last(), "priority = 1")
            return ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.createStatement().use {
                    it.execute("SELECT 1 FROM runledger.job_queue WHERE id = '${ids.last()}' FOR UPDATE")
                }
                val canceling =
                    CompletableFuture.supplyAsync { client.actingAs("dana", "key").jobs.cancelAllWhere(global, all, "too many") }
                ledger.awaitLockWait()
                work()
                connection.rollback()
                canceling
            }
        }

        test("the record shows the progress, and its end") {
            val bench = bench()

            bench.cancelingAll {
                val running = bench.client.audit.list(global, unfinished).items().single()
                running.changed() shouldBe 1_000
                running.isFinished shouldBe false
                shouldRefuse(ErrorCode.ACTION_REPEATED) { bench.client.actingAs("eve", "key").jobs.cancelAllWhere(global, all) }
            }.get() shouldBe 1_200

            bench.client.audit.list(global, unfinished).items().shouldBeEmpty()
            val ended = bench.client.audit.list(global).items().single()
            ended.changed() shouldBe 1_200
            ended.isFinished shouldBe true
            bench.ledger.value(
                "SELECT count(*) FROM runledger.job_journal WHERE payload ->> 'action' = '${ended.id()}'",
            ) shouldBe "1200"
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("an action that is undone while it runs stops") {
            val bench = bench()

            val canceling = bench.cancelingAll {
                val running = bench.client.audit.list(global, unfinished).items().single()
                val undone = bench.client.actingAs("eve").audit.undo(global, running.id(), "mistake")
                undone.restored() shouldBe 1_000
                undone.movedOn() shouldBe 0
            }

            val failure = shouldThrow<ExecutionException> { canceling.get() }
            (failure.cause as RunledgerException).code() shouldBe ErrorCode.ACTION_UNDONE
            bench.ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'PENDING'") shouldBe "1200"
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("an action whose thread is interrupted stops before its next batch") {
            val bench = bench()
            bench.enqueue(600)

            val canceling = CompletableFuture.supplyAsync {
                Thread.currentThread().interrupt()
                try {
                    bench.client.actingAs("dana").jobs.cancelAllWhere(global, all, "too many")
                } finally {
                    Thread.interrupted()
                }
            }

            val failure = shouldThrow<ExecutionException> { canceling.get() }
            (failure.cause as RunledgerException).code() shouldBe ErrorCode.ACTION_INTERRUPTED
            bench.ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'PENDING'") shouldBe "600"
        }

        test("an action that finds nothing is recorded, and keeps its key") {
            val bench = bench()
            val operator = bench.client.actingAs("dana", "key")

            operator.jobs.requeueAllDeadLetters(global, all, "again") shouldBe 0

            operator.audit.list(global).items().single().let {
                it.changed() shouldBe 0
                it.isFinished shouldBe true
            }
            shouldRefuse(ErrorCode.ACTION_REPEATED) { operator.jobs.requeueAllDeadLetters(global, all, "again") }
        }

        test("in the caller's transaction the record goes with the rollback") {
            val bench = bench()
            bench.enqueue(600)
            bench.ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                bench.client.within(connection).actingAs("dana").jobs.cancelAllWhere(global, all, "too many") shouldBe 600
                bench.client.within(connection).audit.list(global).items().single().changed() shouldBe 600
                connection.rollback()
            }
            bench.client.audit.list(global).items().shouldBeEmpty()
        }
    })
