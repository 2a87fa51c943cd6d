package io.runledger.exposed.operator

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.control.bench
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ActionRepeatedException
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

class ActionKeysSpec :
    FunSpec({
        val global = Scope.global()

        test("a second action with a key changes nothing, and the refusal names the first one") {
            val bench = bench()
            val operator = bench.client.actingAs("dana", "key")
            val (first, second) = bench.enqueue(2)
            operator.jobs.cancel(global, first, "duplicate")

            val refusals = listOf(
                shouldRefuse(ErrorCode.ACTION_REPEATED) { operator.jobs.cancel(global, second, "duplicate") },
                shouldRefuse(ErrorCode.ACTION_REPEATED) { operator.jobs.cancelAllWhere(global, JobSelection.any(), "all") },
                shouldRefuse(ErrorCode.ACTION_REPEATED) { bench.client.actingAs("eve", "key").definitions.pause("test.work") },
            )

            val recorded = operator.audit.list(global).items().single()
            refusals.forEach {
                it.shouldBeInstanceOf<ActionRepeatedException>().actionId() shouldBe recorded.id()
                it.message shouldContain recorded.id().toString()
            }
            bench.row(second, "status") shouldBe "PENDING"
            bench.client.definitions.get("test.work").paused() shouldBe false
        }

        test("a refused call leaves its key free") {
            val bench = bench()
            val operator = bench.client.actingAs("dana", "key")
            val done = bench.succeeded()
            val id = bench.enqueue()

            shouldRefuse(ErrorCode.JOB_STATE) { operator.jobs.cancel(global, done, "mistake") }
            operator.jobs.cancelAll(global, listOf(done), "mistake")

            operator.jobs.cancel(global, id, "correct").status() shouldBe JobStatus.CANCELED
        }

        listOf(true, false).forEach { isCommitted ->
            val end = if (isCommitted) "is refused when that commits" else "acts when that rolls back"
            test("a call waits for the transaction that has its key, and $end") {
                val bench = bench()
                val (first, second) = bench.enqueue(2)
                bench.ledger.dataSource.connection.use { connection ->
                    connection.autoCommit = false
                    bench.client.within(connection).actingAs("dana", "key").jobs.cancel(global, first, "duplicate")

                    val waiting = CompletableFuture.supplyAsync {
                        bench.client.actingAs("eve", "key").jobs.cancel(global, second, "duplicate")
                    }
                    bench.ledger.awaitLockWait()
                    if (isCommitted) connection.commit() else connection.rollback()

                    val refusal = try {
                        null.also { waiting.get() }
                    } catch (failure: ExecutionException) {
                        (failure.cause as RunledgerException).code()
                    }
                    refusal shouldBe if (isCommitted) ErrorCode.ACTION_REPEATED else null
                }
                listOf(first, second).map { bench.row(it, "status") } shouldContainExactly
                    if (isCommitted) listOf("CANCELED", "PENDING") else listOf("PENDING", "CANCELED")
                bench.ledger.value("SELECT actor FROM runledger.operator_actions") shouldBe if (isCommitted) "dana" else "eve"
            }
        }

        test("of many calls with one key at once, exactly one acts") {
            val bench = bench()
            repeat(20) { round ->
                val ids = bench.enqueue(4)

                val answers = racing(4) { thread ->
                    try {
                        bench.client.actingAs("operator $thread", "round $round").jobs.cancel(global, ids[thread], "race")
                        "acted"
                    } catch (refusal: ActionRepeatedException) {
                        "refused"
                    }
                }

                answers.sorted() shouldContainExactly listOf("acted", "refused", "refused", "refused")
                ids.count { bench.row(it, "status") == "CANCELED" } shouldBe 1
            }
        }
    })
