package io.runledger.coroutines.crash

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import kotlin.random.Random
import kotlin.time.Duration.Companion.minutes

/** The number of jobs that run in the process of the test. For every 500 of them a JVM is killed as well, at least two. */
private val kills = Integer.getInteger("runledger.kills", 500)
private val seed = java.lang.Long.getLong("runledger.seed", System.nanoTime())

class ExactlyOnceSpec :
    FunSpec({
        // No unique constraint on purpose: nothing but the settlement keeps a payment from being made twice.
        fun ledger(poolSize: Int) = freshLedger(poolSize).apply {
            define(charge)
            run("CREATE TABLE payments (amount int NOT NULL)")
        }

        fun TestLedger.enqueue(numbers: IntRange) = client.jobs.enqueueAll(numbers.map { JobRequest.of(charge, it) })

        fun TestLedger.expireLeases(which: String = "true") = run(
            "UPDATE runledger.job_queue SET lease_expires_at = clock_timestamp() - interval '1 second' " +
                "WHERE status = 'LEASED' AND $which",
        )

        fun TestLedger.open() = value("SELECT count(*) FROM runledger.job_queue WHERE status <> 'SUCCEEDED'").toInt()

        fun TestLedger.attempts() = value("SELECT count(*) FROM runledger.job_attempts")

        fun TestLedger.shouldHavePaidOnce(jobs: Int) = withClue("seed $seed") {
            open() shouldBe 0
            value("SELECT count(*) || ' of ' || count(DISTINCT amount) FROM payments") shouldBe "$jobs of $jobs"
        }

        test("JVMs killed at random moments leave exactly one row per job") {
            val ledger = ledger(poolSize = 20)
            val random = Random(seed)
            val rounds = maxOf(2, kills / 500)
            repeat(rounds) { round ->
                ledger.enqueue(round * 200 until (round + 1) * 200)
                DoomedJvm.start(PayingProgram::class, ledger.database).use { doomed ->
                    repeat(random.nextInt(1, 600)) { doomed.hear() }
                    doomed.kill()
                }
                ledger.expireLeases()
                while (WorkerLedger.of(ledger.client).leases.reap(500, Duration.ofMillis(1)).isNotEmpty()) continue
            }

            val rest = RollCall(ledger.open())
            val handlers = handlers { blocking(charge) { ledger.pool.paying(it) } }
            RunledgerWorker.builder(ledger.client).handlers(handlers).observe(rest)
                .config(quick { reaper(true).reaperInterval(Duration.ofMillis(50)).reaperRetryDelay(Duration.ofMillis(1)) })
                .start().use { withTimeout(1.minutes) { rest.complete() } }

            ledger.shouldHavePaidOnce(rounds * 200)
            println("Exactly once, seed $seed: $rounds JVMs killed, ${rounds * 200} jobs, ${ledger.attempts()} attempts")
        }

        test("handlers and connections that die at random points leave exactly one row per job") {
            val ledger = ledger(poolSize = 50)
            val executioner = Executioner(ledger.database)
            ledger.enqueue(0 until kills)
            val deaths = ConcurrentHashMap<AttemptFault, Int>()
            val handlers = handlers {
                blocking(charge) { job ->
                    val fault = AttemptFault.of(seed, job.payload(), job.attempt())
                    if (fault != AttemptFault.LIVES) deaths.merge(fault, 1, Int::plus)
                    val leaseRunsOut = { ledger.expireLeases("id = '${job.jobId()}'") }
                    if (fault == AttemptFault.THROWS_BEFORE_INSERT) error("$fault")
                    if (fault == AttemptFault.LEASE_RUNS_OUT_BEFORE_INSERT) leaseRunsOut()
                    if (fault == AttemptFault.THREAD_INTERRUPTED_BEFORE_INSERT) Thread.currentThread().interrupt()
                    ledger.pool.connection.use { connection ->
                        connection.autoCommit = false
                        connection.pay(job)
                        when (fault) {
                            AttemptFault.THROWS_AFTER_INSERT -> error("$fault")
                            AttemptFault.CONNECTION_DIES_AFTER_INSERT -> executioner.kill(connection)
                            AttemptFault.LEASE_RUNS_OUT_BEFORE_SETTLING -> leaseRunsOut()
                            AttemptFault.THREAD_INTERRUPTED_AFTER_INSERT -> Thread.currentThread().interrupt()
                            else -> Unit
                        }
                        job.settleIn(connection)
                        when (fault) {
                            AttemptFault.THROWS_AFTER_SETTLING -> error("$fault")
                            AttemptFault.CONNECTION_DIES_AFTER_SETTLING -> executioner.kill(connection)
                            AttemptFault.CONNECTION_DIES_DURING_COMMIT -> executioner.killSoon(connection)
                            AttemptFault.ROLLS_BACK_AND_RETURNS -> connection.rollback()
                            AttemptFault.THREAD_INTERRUPTED_AFTER_SETTLING -> Thread.currentThread().interrupt()
                            else -> Unit
                        }
                        connection.commit()
                    }
                    if (fault == AttemptFault.THROWS_AFTER_COMMIT) error("$fault")
                    JobOutcome.succeeded()
                }
            }
            val everybody = RollCall(kills)
            val workers = List(2) {
                RunledgerWorker.builder(ledger.client).handlers(handlers).observe(everybody)
                    .config(
                        quick {
                            maxConcurrency(16)
                                .reaper(true).reaperInterval(Duration.ofMillis(20)).reaperRetryDelay(Duration.ofMillis(1))
                        },
                    )
                    .start()
            }

            try {
                withClue("seed $seed") { withTimeout(maxOf(2.0, kills / 1_000.0).minutes) { everybody.complete() } }
            } finally {
                workers.forEach { it.close() }
                executioner.close()
            }

            ledger.shouldHavePaidOnce(kills)
            deaths.values.sum() shouldBeGreaterThan kills
            println(
                "Exactly once, seed $seed: $kills jobs, ${ledger.attempts()} attempts, ${deaths.values.sum()} deaths: ${deaths.toSortedMap()}",
            )
        }
    })
