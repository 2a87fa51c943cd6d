package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.Ledger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.util.UUID
import java.util.concurrent.CompletableFuture

/** "Enqueue a job; if it exists and has failed, requeue it": two services that do this at once must not conflict. */
class KeyedRequeueSpec :
    FunSpec({
        fun request(organization: UUID?): JobRequest = JobRequest.builder(Bench.TYPE, 1).idempotencyKey("once").also {
            if (organization !=
                null
            ) {
                it.organization(organization)
            }
        }.build()

        fun Bench.joined(work: (Connection) -> Unit) = ledger.database.connect().use { connection ->
            connection.autoCommit = false
            // A statement that would wait fails instead of blocking the test.
            connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '5s'") }
            work(connection)
        }

        fun Ledger.requeue(job: EnqueuedJob): RequeueOutcome = jobs.requeue(
            Scope.everything(),
            RequeueRequest(
                job.id(),
                JobStatus.DEAD_LETTERED,
                job.runNumber(),
                KeptState.RESET_PROGRESS_AND_CHECKPOINT,
                null,
            ),
        )

        mapOf("global" to null, "an organization's" to UUID.randomUUID()).forEach { (whose, organization) ->
            test(
                "equal keyed enqueues in two open transactions do not wait for each other, and either may requeue ($whose job)",
            ) {
                val bench = bench()
                val id = bench.client.jobs.enqueue(request(organization)).id()
                bench.die(bench.claimOne())

                bench.joined { first ->
                    bench.joined { second ->
                        val (one, other) = listOf(first, second).map {
                            bench.client.within(it).jobs.enqueue(request(organization))
                        }
                        listOf(one, other).map { Triple(it.id(), it.disposition(), it.status()) }.distinct() shouldBe
                            listOf(Triple(id, Disposition.EXISTING, JobStatus.DEAD_LETTERED))

                        bench.client.within(first).requeue(one).shouldBeInstanceOf<RequeueOutcome.Requeued>()
                        first.commit()
                        bench.client.within(second).requeue(other) shouldBe
                            RequeueOutcome.ExpectationMismatch(id, JobStatus.PENDING, 2)
                        second.commit()
                    }
                }
            }
        }

        test("who enqueues and requeues second waits for the first and then sees what it did") {
            val bench = bench()
            val id = bench.client.jobs.enqueue(request(null)).id()
            bench.die(bench.claimOne())

            bench.joined { first ->
                val ledger = bench.client.within(first)
                ledger.requeue(ledger.jobs.enqueue(request(null))).shouldBeInstanceOf<RequeueOutcome.Requeued>()
                val second = CompletableFuture.supplyAsync {
                    var outcome: RequeueOutcome? = null
                    bench.joined { connection ->
                        val other = bench.client.within(connection)
                        outcome = other.requeue(other.jobs.enqueue(request(null)))
                        connection.commit()
                    }
                    outcome
                }
                bench.ledger.awaitLockWait()
                first.commit()
                second.get() shouldBe RequeueOutcome.ExpectationMismatch(id, JobStatus.PENDING, 2)
            }
            bench.journal(id, "event_type") shouldBe listOf("REQUEUED")
        }
    })
