package io.runledger.micrometer

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import io.runledger.test.until
import java.time.Duration

private const val JOBS = 30_000

private fun type(name: String) = JobType.builder(name, Int::class.javaObjectType).maxAttempts(2)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1))).build()

/** The counters of several workers are the rows of the ledger, exactly. */
class LosslessSpec :
    FunSpec({
        val types = listOf(type("mail"), type("crawl"))
        val doing = handlers {
            types.forEach { type ->
                on(type) { job ->
                    val n = job.payload()
                    when {
                        n % 50 == 7 -> JobOutcome.failed("mail.no_address", "No address.")
                        n % 97 == 5 -> JobOutcome.failed(JobFailure.retryable("mail.server_busy", "Busy."))
                        n % 10 == 3 && job.attempt() == 1 -> error("not at once")
                        n % 101 == 9 -> JobOutcome.canceled("Not wanted.")
                        n % 103 == 8 && job.runNumber() == 1 -> JobOutcome.continueNow()
                        else -> JobOutcome.succeeded()
                    }
                }
            }
        }

        fun TestLedger.rows(sql: String): Map<String, Double> = database.connect().use { connection ->
            connection.createStatement().executeQuery(sql).use { rows ->
                buildMap { while (rows.next()) put(rows.getString(1), rows.getDouble(2)) }
            }
        }

        test("$JOBS jobs with retries, dead letters and a worker that is closed meanwhile are counted exactly once each") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(types)
            (0..<JOBS).chunked(5_000).forEach { chunk ->
                ledger.client.jobs.enqueueAll(chunk.map { JobRequest.builder(types[it / 7 % 2], it).build() })
            }
            val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)
            val metrics = WorkerMetrics(registry)
            fun worker(n: Int) = RunledgerWorker.builder(ledger.client).handlers(doing).meter(metrics).config(
                WorkerConfig.builder().workerId("w$n").pollInterval(Duration.ofMillis(20)).maxPollInterval(Duration.ofMillis(200))
                    .shutdownGrace(Duration.ZERO).build(),
            ).start()
            fun scrape() = Scrape(registry.scrape())
            val workers = List(3, ::worker)
            until("a part is done") { scrape().sum("runledger_job_attempts_total") > JOBS / 10 }
            workers.first().close()
            until("nothing is left") {
                ledger.client.metrics.fleet().types().sumOf { it.due() + it.scheduled() + it.running() } ==
                    0L
            }
            workers.forEach { it.close() }

            val counted = scrape()
            fun attempts(type: String, vararg results: String) =
                results.sumOf { counted.sum("runledger_job_attempts_total", "type" to type, "result" to it) }
            types.map { it.name() }.forEach { type ->
                val attempts = ledger.rows(
                    "SELECT a.outcome, count(*) FROM runledger.job_attempts a JOIN runledger.job_queue q ON q.id = a.job_id " +
                        "WHERE q.job_type = '$type' GROUP BY 1",
                )
                attempts(type, "succeeded", "continued") shouldBe attempts["SUCCEEDED"]
                attempts(type, "retried", "dead_lettered") shouldBe
                    (attempts.getValue("RETRYABLE") + attempts.getValue("TERMINAL"))
                attempts(type, "canceled") shouldBe attempts["CANCELED"]
                attempts(type, "released") shouldBe (attempts["INTERRUPTED"] ?: 0.0)
                attempts(type, "lost", "abandoned", "snoozed") shouldBe 0.0
                ledger.rows(
                    "SELECT reason || ' ' || error_code, count(*) FROM runledger.job_dead_letters WHERE job_type = '$type' GROUP BY 1",
                ).forEach { (letter, count) ->
                    val (reason, code) = letter.split(" ")
                    counted.value(
                        "runledger_job_dead_letters_total",
                        "type" to type,
                        "reason" to reason.lowercase(),
                        "code" to code,
                    ) shouldBe count
                }
                ledger.rows(
                    "SELECT a.error_code, count(*) FROM runledger.job_attempts a JOIN runledger.job_queue q ON q.id = a.job_id " +
                        "WHERE q.job_type = '$type' AND a.retry_delay_ms IS NOT NULL GROUP BY 1",
                ).also { it.keys shouldContain "job.handler_failed" }.forEach { (code, count) ->
                    counted.value("runledger_job_retries_total", "type" to type, "code" to code) shouldBe count
                }
            }
            val all = ledger.rows("SELECT 'all', count(*) FROM runledger.job_attempts").getValue("all")
            counted.sum("runledger_job_attempts_total") shouldBe all
            counted.value("runledger_claim_size_jobs_sum") shouldBe all
            // A lost answer would settle an attempt twice; a batch that meets a locked row, once more.
            counted.value("runledger_settlement_size_attempts_sum") shouldBeGreaterThanOrEqual all
            counted.sum("runledger_job_wait_seconds_count") shouldBe counted.sum("runledger_job_run_seconds_count")
            counted.sum("runledger_job_run_seconds_count") shouldBeGreaterThanOrEqual
                all - counted.sum("runledger_job_attempts_total", "result" to "released")
        }
    })
