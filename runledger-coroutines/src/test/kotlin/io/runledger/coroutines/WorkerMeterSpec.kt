package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.WorkerMeter.Result
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Meters
import io.runledger.coroutines.watch.Observers
import io.runledger.coroutines.worker.SharedWorker
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import java.util.concurrent.TimeUnit

private val work = JobType.builder("work", String::class.java)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .maxAttempts(2)
    .build()

private val doing = handlers {
    on(work) { job ->
        when (job.payload()) {
            "succeed" -> JobOutcome.succeeded()
            "fail" -> JobOutcome.failed(JobFailure.retryable("till.closed", "Closed."))
            "refuse" -> JobOutcome.failed("card.unknown", "Unknown card.")
            "cancel" -> JobOutcome.canceled("Not wanted.")
            "snooze" -> JobOutcome.snooze(Duration.ofHours(1))
            "continue" -> JobOutcome.continueNow("succeed")
            else -> awaitCancellation()
        }
    }
}

class WorkerMeterSpec :
    FunSpec({
        test("every end of an attempt is measured once, with its result, its code and its reason") {
            val ledger = freshLedger()
            ledger.define(work)
            val endings = listOf("succeed", "fail", "refuse", "cancel", "snooze", "continue")
            val ids = endings.associateWith { ledger.enqueue(work, it) }
            val tally = Tally()

            working(ledger.client, doing, settings = { meter(tally) }) { witness ->
                witness.await("succeeded", ids["succeed"])
                witness.await("dead-lettered", ids["fail"])
                witness.await("dead-lettered", ids["refuse"])
                witness.await("canceled", ids["cancel"])
                witness.await("postponed", ids["snooze"])
                witness.await("succeeded", ids["continue"])
            }

            fun ends(ending: String) = tally.of(ids.getValue(ending)).map { Triple(it.result, it.code, it.reason) }
            ends("succeed") shouldContainExactly listOf(Triple(Result.SUCCEEDED, null, null))
            ends("fail") shouldContainExactly
                listOf(
                    Triple(Result.RETRIED, "till.closed", null),
                    Triple(Result.DEAD_LETTERED, "till.closed", DeadLetterReason.ATTEMPTS_EXHAUSTED),
                )
            ends("refuse") shouldContainExactly
                listOf(Triple(Result.DEAD_LETTERED, "card.unknown", DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))
            ends("cancel") shouldContainExactly listOf(Triple(Result.CANCELED, null, null))
            ends("snooze") shouldContainExactly listOf(Triple(Result.SNOOZED, null, null))
            ends("continue") shouldContainExactly
                listOf(Triple(Result.CONTINUED, null, null), Triple(Result.SUCCEEDED, null, null))
            tally.ends.forEach { it.runNanos shouldBeGreaterThan 0 }
            tally.waits shouldHaveSize 8
            tally.claimed.get() shouldBe 8
            tally.settled.get() shouldBe 8
        }

        test("the wait counts from when the job was due, by the database's clock") {
            val ledger = freshLedger()
            ledger.define(work)
            val id = ledger.enqueue(work, "succeed")
            ledger.run("UPDATE runledger.job_queue SET next_run_at = next_run_at - interval '1 hour' WHERE id = '$id'")
            val tally = Tally()

            working(ledger.client, doing, settings = { meter(tally) }) { it.await("succeeded", id) }

            tally.waits.single() shouldBeGreaterThan TimeUnit.HOURS.toNanos(1)
            (tally.waits.single() < TimeUnit.HOURS.toNanos(2)) shouldBe true
        }

        test("a job that was due since minus infinity has no wait and runs") {
            val ledger = freshLedger()
            ledger.define(work)
            val id = ledger.enqueue(work, "succeed")
            ledger.run("UPDATE runledger.job_queue SET next_run_at = '-infinity' WHERE id = '$id'")
            val tally = Tally()

            working(ledger.client, doing, settings = { meter(tally) }) { it.await("succeeded", id) }

            (tally.waits.single() < TimeUnit.HOURS.toNanos(1)) shouldBe true
        }

        test("jobs that a worker gives back when it ends are measured as released, those without a start without a run time") {
            val ledger = freshLedger()
            ledger.define(work)
            val id = ledger.enqueue(work, "wait")
            val tally = Tally()

            working(ledger.client, doing, settings = { meter(tally) }) { it.await("started", id) }

            tally.results(id) shouldContainExactly listOf(Result.RELEASED)
            tally.ends.single().runNanos shouldBeGreaterThan 0
        }

        test("a job that is canceled while it runs is measured once") {
            val ledger = freshLedger()
            ledger.define(work)
            val id = ledger.enqueue(work, "wait")
            val tally = Tally()

            working(ledger.client, doing, settings = { meter(tally) }) {
                it.await("started", id)
                ledger.client.jobs.cancel(Scope.everything(), id)
                it.await("canceled", id)
            }

            tally.results(id) shouldContainExactly listOf(Result.CANCELED)
        }

        test("a meter that throws loses its events, the others do not, and no job is affected") {
            val ledger = freshLedger()
            ledger.define(work)
            val ids = List(20) { ledger.enqueue(work, "succeed") }
            val tally = Tally()
            val broken = object : WorkerMeter {
                override fun started(job: ClaimedJob, waitNanos: Long): Unit = throw NoClassDefFoundError("no registry")

                override fun ended(
                    job: ClaimedJob,
                    result: Result,
                    runNanos: Long,
                    failure: JobFailure?,
                    reason: DeadLetterReason?,
                ): Unit = error("no registry")
            }

            val logged = Overheard.during {
                val settings: io.runledger.coroutines.worker.RunledgerWorker.Builder.() -> Unit = {
                    meter(broken)
                    meter(tally)
                }
                working(ledger.client, doing, settings = settings) { it.awaitAll("succeeded", count = ids.size) }
            }

            ids.forEach { ledger.job(it).status() shouldBe JobStatus.SUCCEEDED }
            tally.ends.map { it.result } shouldContainExactly List(ids.size) { Result.SUCCEEDED }
            logged.lines.filter { "no registry" in it } shouldHaveSize 1
        }

        test("a shared worker measures the jobs of its ledgers with the same meter") {
            val ledger = freshLedger()
            ledger.define(work)
            val tally = Tally()
            val id = ledger.enqueue(work, "succeed")

            SharedWorker.start(2) { worker, _ -> worker.handlers(doing).config(quick()).meter(tally) }.use { shared ->
                shared.serve(ledger.client)
                until("the job is measured") { tally.ends.isNotEmpty() }
            }

            tally.results(id) shouldContainExactly listOf(Result.SUCCEEDED)
        }

        test("an outage is measured once, by its first cause, and ends once") {
            val tally = Tally()
            val health = LedgerHealth("w1", Observers(emptyList(), CoroutineScope(Job()), Meters(listOf(tally))))

            health.failed("claim loop", UnavailableException(ErrorCode.DB_UNREACHABLE, "Away."))
            health.failed("settler", UnavailableException(ErrorCode.DB_LOCK_TIMEOUT, "Locked."))
            health.worked("claim loop")
            tally.health shouldContainExactly listOf("db.unreachable")
            health.worked("settler")
            health.worked("settler")

            tally.health shouldContainExactly listOf("db.unreachable", "available")
        }

        test("an outage ends with the worker, and a worker without an outage has nothing to end") {
            val tally = Tally()
            val health = LedgerHealth("w1", Observers(emptyList(), CoroutineScope(Job()), Meters(listOf(tally))))

            health.ended()
            tally.health.shouldBeEmpty()
            health.failed("claim loop", UnavailableException(ErrorCode.DB_UNREACHABLE, "Away."))
            health.ended()
            health.ended()

            tally.health shouldContainExactly listOf("db.unreachable", "available")
        }
    })
