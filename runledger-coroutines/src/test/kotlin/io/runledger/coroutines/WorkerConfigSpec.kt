package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowRunStatus.CANCELED
import io.runledger.model.workflow.WorkflowRunStatus.COMPLETED_WITH_ERRORS
import io.runledger.model.workflow.WorkflowRunStatus.RUNNING
import io.runledger.model.workflow.WorkflowRunStatus.SUCCEEDED
import java.time.Duration

class WorkerConfigSpec :
    FunSpec({
        test("an empty environment gives the defaults, and every worker a name of its own") {
            val config = WorkerConfig.fromEnv(emptyMap())

            config.workerId shouldStartWith "worker-"
            config.workerId shouldNotBe WorkerConfig.fromEnv(emptyMap()).workerId
            config.maxConcurrency shouldBe 32
            config.claimBatchSize shouldBe 1_000
            config.lease shouldBe Duration.ofSeconds(60)
            config.pollInterval shouldBe Duration.ofMillis(500)
            config.reaperInterval shouldBe Duration.ofSeconds(15)
            config.reaperRetryDelay shouldBe Duration.ofSeconds(30)
            config.schedulerInterval shouldBe Duration.ofSeconds(30)
        }

        test("each variable is taken over") {
            val config = WorkerConfig.fromEnv(
                mapOf(
                    "JOBS_WORKER_ID" to "mailer-1",
                    "JOBS_MAX_GLOBAL_CONCURRENCY" to "100",
                    "JOBS_CLAIM_BATCH_SIZE" to "50",
                    "JOBS_LEASE_TTL_SECONDS" to "120",
                    "JOBS_POLL_INTERVAL_MS" to "250",
                    "JOBS_MAX_POLL_INTERVAL_MS" to "10000",
                    "JOBS_SHUTDOWN_GRACE_SECONDS" to "0",
                    "JOBS_SCHEDULE_POLL_INTERVAL_SECONDS" to "10",
                    "JOBS_REAPER_INTERVAL_SECONDS" to "5",
                    "JOBS_REAPER_RETRY_DELAY_MS" to "2000",
                    "JOBS_RUN_RETENTION_DAYS" to "90",
                    "JOBS_WORKER_LABELS" to "eu, gpu",
                    "JOBS_APPLICATION_VERSION" to "4.2",
                    "JOBS_BEAT_INTERVAL_SECONDS" to "10",
                ),
            )

            config.workerId shouldBe "mailer-1"
            config.maxConcurrency shouldBe 100
            config.claimBatchSize shouldBe 50
            config.lease shouldBe Duration.ofMinutes(2)
            config.pollInterval shouldBe Duration.ofMillis(250)
            config.maxPollInterval shouldBe Duration.ofSeconds(10)
            config.shutdownGrace shouldBe Duration.ZERO
            config.schedulerInterval shouldBe Duration.ofSeconds(10)
            config.reaperInterval shouldBe Duration.ofSeconds(5)
            config.reaperRetryDelay shouldBe Duration.ofSeconds(2)
            config.labels shouldBe setOf("eu", "gpu")
            config.applicationVersion shouldBe "4.2"
            config.beatInterval shouldBe Duration.ofSeconds(10)
            config.runRetention shouldBe listOf(SUCCEEDED, COMPLETED_WITH_ERRORS, CANCELED).associateWith { Duration.ofDays(90) }
        }

        test("a value out of range takes the nearest one in range, a blank one leaves the default") {
            val config = WorkerConfig.fromEnv(
                mapOf(
                    "JOBS_WORKER_ID" to "  ",
                    "JOBS_MAX_GLOBAL_CONCURRENCY" to "0",
                    "JOBS_CLAIM_BATCH_SIZE" to "5000",
                    "JOBS_LEASE_TTL_SECONDS" to "1",
                    "JOBS_POLL_INTERVAL_MS" to "-3",
                    "JOBS_REAPER_RETRY_DELAY_MS" to "1",
                    "JOBS_RUN_RETENTION_DAYS" to "0",
                ),
            )

            config.workerId shouldStartWith "worker-"
            config.maxConcurrency shouldBe 1
            config.claimBatchSize shouldBe 1_000
            config.lease shouldBe Duration.ofSeconds(10)
            config.pollInterval shouldBe Duration.ofMillis(1)
            config.reaperRetryDelay shouldBe Duration.ofSeconds(1)
            config.runRetention.values.toSet() shouldBe setOf(Duration.ofDays(1))
        }

        test("a value that cannot be read is an error that names the variable") {
            val numbers = WorkerVariable.entries -
                setOf(WorkerVariable.WORKER_ID, WorkerVariable.LABELS, WorkerVariable.APPLICATION_VERSION, WorkerVariable.QUEUES)
            numbers.forEach { variable ->
                val refused = shouldThrow<IllegalArgumentException> { WorkerConfig.fromEnv(mapOf(variable.variable to "ten")) }

                refused.message shouldContain variable.variable
                refused.message shouldContain "'ten'"
            }
            shouldThrow<IllegalArgumentException> { WorkerConfig.fromEnv(mapOf("JOBS_WORKER_ID" to "a\u0000b")) }
                .message shouldContain "JOBS_WORKER_ID"
            shouldThrow<IllegalArgumentException> { WorkerConfig.fromEnv(mapOf("JOBS_QUEUES" to "imports,,exports")) }
                .message shouldContain "JOBS_QUEUES"
        }

        test("a setting that makes no sense is refused where it is made") {
            listOf<WorkerConfig.Builder.() -> Unit>(
                { maxConcurrency(0) },
                { typeLimit("mail", 0) },
                { claimBatchSize(1_001) },
                { pollInterval(Duration.ZERO) },
                { maxPollInterval(Duration.ofMillis(-1)) },
                { shutdownGrace(Duration.ofMillis(-1)) },
                { stopGrace(Duration.ofMillis(-1)) },
                { schedulerInterval(Duration.ZERO) },
                { reaperInterval(Duration.ZERO) },
                { reaperRetryDelay(Duration.ZERO) },
                { janitorInterval(Duration.ZERO) },
                { beatInterval(Duration.ZERO) },
                { beatInterval(Duration.ofDays(2)) },
                { workerRetention(Duration.ofDays(-1)) },
                { applicationVersion(" ") },
                { hookTimeout(Duration.ZERO) },
                { retention(JobStatus.PENDING, Duration.ofDays(1)) },
                { runRetention(RUNNING, Duration.ofDays(1)) },
                { runRetention(Duration.ofDays(-1)) },
            ).forEach { wrong -> shouldThrow<IllegalArgumentException> { WorkerConfig.builder().wrong() } }
            shouldThrow<InvalidRequestException> { WorkerConfig.builder().workerId(" ") }
            shouldThrow<InvalidRequestException> { WorkerConfig.builder().lease(Duration.ZERO) }
            shouldThrow<InvalidRequestException> { WorkerConfig.builder().labels("eu", " ") }
        }
    })
