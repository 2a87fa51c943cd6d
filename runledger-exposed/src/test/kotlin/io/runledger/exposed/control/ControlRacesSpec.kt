package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.isReleased
import io.runledger.exposed.leases
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import java.time.Duration
import java.util.UUID
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors

/** Two or three sessions change the same rows at the same moment, hundreds of times. A deadlock would be an exception. */
class ControlRacesSpec :
    FunSpec({
        val everything = Scope.everything()
        val threads = Executors.newFixedThreadPool(3)
        afterSpec { threads.shutdownNow() }

        fun <T> race(vararg parties: () -> T): List<T> {
            val start = CyclicBarrier(parties.size)
            return threads.invokeAll(
                parties.map { party ->
                    Callable {
                        start.await()
                        party()
                    }
                },
            ).map { it.get() }
        }

        test("of settling, canceling and giving back the same jobs, exactly one happens to each") {
            val bench = bench()
            repeat(200) {
                bench.enqueue(4)
                val leases = bench.claim(4).map { it.lease() }
                val ids = leases.map { it.jobId() }
                val (settled, canceled, released) = race(
                    {
                        bench.client.leases.settle(leases.associateWith { Verdict.Succeed(null) })
                            .filter { it.result() == SettledJob.Result.SUCCEEDED }.map { it.lease().jobId() }
                    },
                    {
                        bench.client.jobs.cancelAll(everything, ids.reversed())
                            .filter { it.result() == CanceledJob.Result.CANCELED }.map { it.jobId() }
                    },
                    {
                        bench.client.leases.release(leases.shuffled(), "RACE", Duration.ofDays(1))
                            .filter { it.isReleased }.map { it.lease().jobId() }
                    },
                )
                val stories = bench.ledger.rows(
                    "SELECT q.id, q.status, string_agg(a.outcome::text, ',') FROM runledger.job_queue q " +
                        "JOIN runledger.job_attempts a ON a.job_id = q.id " +
                        "WHERE q.id IN (${ids.joinToString { "'$it'" }}) GROUP BY q.id",
                )
                // A cancel may also reach a job that was just released. Then the attempt was interrupted and the job is canceled.
                stories shouldContainExactlyInAnyOrder ids.map { id ->
                    when {
                        id in settled -> "$id|SUCCEEDED|SUCCEEDED"
                        id in released -> "$id|${if (id in canceled) "CANCELED" else "PENDING"}|INTERRUPTED"
                        else -> "$id|CANCELED|CANCELED"
                    }
                }
                (settled intersect (canceled + released).toSet()) shouldBe emptySet()
                bench.ledger.run("UPDATE runledger.job_queue SET next_run_at = 'infinity' WHERE status = 'PENDING'")
            }
        }

        test("a heartbeat at the very end of a lease and a reaper never both win, and never both lose for good") {
            val bench = bench()
            var renewals = 0
            repeat(300) { round ->
                val lease = bench.leased()
                bench.set(lease.jobId(), "lease_expires_at = clock_timestamp() + interval '${round % 15 * 100} microseconds'")
                val (renewed, reaped) = race(
                    {
                        val answer = bench.client.leases.renew(listOf(lease), Duration.ofMinutes(1)).single().answer()
                        answer == Renewal.Answer.RENEWED
                    },
                    { bench.client.leases.reap(9, Duration.ofDays(1)).isNotEmpty() },
                )
                (renewed && reaped) shouldBe false
                if (renewed) {
                    renewals++
                    bench.succeed(lease) shouldBe SettledJob.Result.SUCCEEDED
                } else {
                    // A reaper that came too early finds it the next time: the lease was not revived.
                    bench.set(lease.jobId(), "updated_at = now()")
                    val late = if (reaped) emptyList<ReapedJob>() else bench.drain()
                    (reaped || late.single().lease() == lease) shouldBe true
                    bench.attempts(lease.jobId()).size shouldBe 1
                    bench.succeed(lease) shouldBe SettledJob.Result.LOST
                }
            }
            (renewals in 1..299) shouldBe true
        }

        test("two reapers share the expired leases: none twice, none forgotten") {
            val bench = bench()
            repeat(100) {
                bench.enqueue(8)
                val leases = bench.claim(8).map { it.lease() }
                bench.expire(*leases.map { it.jobId() }.toTypedArray())
                val reaper = { bench.client.leases.reap(5, Duration.ofDays(1)) }
                val both = race(reaper, reaper)
                val rest = bench.client.leases.reap(9, Duration.ofDays(1))
                (both.flatten() + rest).map { it.lease() } shouldContainExactlyInAnyOrder leases
            }
            bench.ledger.value("SELECT count(*) FROM runledger.job_attempts WHERE outcome = 'LEASE_EXPIRED'") shouldBe "800"
        }

        test("two operators who requeue the same jobs cause one run") {
            val bench = bench()
            repeat(200) {
                val ids = List(2) { bench.dead() }
                val keep = KeptState.RESET_PROGRESS_AND_CHECKPOINT
                fun ask(order: List<UUID>) = bench.client.jobs.requeueAll(
                    everything,
                    order.map { RequeueRequest(it, JobStatus.DEAD_LETTERED, 1, keep, null) },
                )

                val outcomes = race({ ask(ids) }, { ask(ids.reversed()) }).flatten()
                outcomes.filterIsInstance<RequeueOutcome.Requeued>().map { it.jobId() } shouldContainExactlyInAnyOrder ids
                outcomes.filterIsInstance<RequeueOutcome.ExpectationMismatch>().map { it.actualRun() } shouldBe listOf(2, 2)
                ids.forEach { id ->
                    bench.journal(id).size shouldBe 1
                    bench.set(id, "next_run_at = 'infinity'")
                }
            }
        }

        test("equal replay requests at once make one job") {
            val bench = bench()
            val source = bench.succeeded()
            repeat(200) { round ->
                val request = ReplayRequest(source, 1, "round $round", "again")
                race({ bench.client.jobs.replay(everything, request) }, { bench.client.jobs.replay(everything, request) })
                    .map { (it as ReplayOutcome.Replayed).replay().replayJobId() }.distinct().size shouldBe 1
            }
            bench.ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "201"
        }

        test("pruning twice at once, while jobs are replayed, leaves nothing behind that belongs to nobody") {
            val bench = bench()
            val request = PruneRequest.of(Duration.ZERO, setOf(JobStatus.SUCCEEDED), 100)
            repeat(100) { round ->
                val ids = List(2) { bench.succeeded() }
                race<Any>(
                    { bench.client.retention.prune(request) },
                    { bench.client.retention.prune(request) },
                    { bench.client.jobs.replay(everything, ReplayRequest(ids[round % 2], 1, "k", "again")) },
                )
                while (bench.claim(9).onEach { bench.succeed(it.lease()) }.isNotEmpty()) Unit
                bench.client.retention.prune(request)
                bench.ledger.value(
                    "SELECT (SELECT count(*) FROM runledger.job_queue), (SELECT count(*) FROM runledger.job_attempts), " +
                        "(SELECT count(*) FROM runledger.job_replays)",
                ) shouldBe "0|0|0"
            }
        }
    })

/** Reaps until the lease has expired. */
private fun Bench.drain(): List<ReapedJob> {
    while (true) client.leases.reap(9, Duration.ofDays(1)).ifEmpty { null }?.let { return it }
}
