package io.runledger.coroutines

import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration

/** The settings that a [WorkerConfig.Builder] collects, initialized with the defaults. */
internal class WorkerSettings {
    var workerId: String? = null
    var labels: Set<String> = emptySet()
    var applicationVersion: String? = null
    var maxConcurrency = 32
    val typeLimits = LinkedHashMap<String, Int>()
    var queues: Set<String>? = null
    var claimBatchSize = 1_000
    var lease: Duration = Duration.ofSeconds(60)
    var pollInterval: Duration = Duration.ofMillis(500)
    var maxPollInterval: Duration = Duration.ofSeconds(30)
    var shutdownGrace: Duration = Duration.ofSeconds(30)
    var stopGrace: Duration = Duration.ofSeconds(5)
    var scheduler = true
    var schedulerInterval: Duration = Duration.ofSeconds(30)
    var reaper = true
    var reaperInterval: Duration = Duration.ofSeconds(15)
    var reaperRetryDelay: Duration = Duration.ofSeconds(30)
    var hookTimeout: Duration = Duration.ofSeconds(30)
    var triggerTimeout: Duration = Duration.ofSeconds(30)
    val retention = linkedMapOf(JobStatus.SUCCEEDED to month, JobStatus.CANCELED to month)
    val runRetention = linkedMapOf(WorkflowRunStatus.SUCCEEDED to month, WorkflowRunStatus.CANCELED to month)
    var fireRetention: Duration? = Duration.ofDays(90)
    var pollRetention: Duration? = null
    var workerRetention: Duration = Duration.ofDays(1)
    var beatInterval: Duration = Duration.ofSeconds(30)
    var janitorInterval: Duration = Duration.ofMinutes(10)

    private companion object {
        val month: Duration = Duration.ofDays(30)
    }
}
