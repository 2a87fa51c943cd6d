package io.runledger.coroutines

import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.text.Text
import io.runledger.model.value.Identifier
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration

/** The settings of a worker. Each has a default; `docs/settings.md` lists them all. Immutable. */
public class WorkerConfig private constructor(settings: WorkerSettings) {
    /** The worker's id in rows and logs. */
    @get:JvmName("workerId")
    public val workerId: String = settings.workerId ?: "worker-${UuidV7.next()}"

    /** The labels by which orders select the worker. */
    @get:JvmName("labels")
    public val labels: Set<String> = settings.labels.toSet()

    /** The version of the service, for the list of workers. */
    @get:JvmName("applicationVersion")
    public val applicationVersion: String? = settings.applicationVersion

    /** How many jobs run at the same time. */
    @get:JvmName("maxConcurrency")
    public val maxConcurrency: Int = settings.maxConcurrency

    /** How many jobs of a type run at the same time; for types without an entry, only [maxConcurrency] applies. */
    @get:JvmName("typeLimits")
    public val typeLimits: Map<String, Int> = settings.typeLimits.toMap()

    /** The queues whose jobs are claimed, `default` for the jobs in no named queue; null for all queues. */
    @get:JvmName("queues")
    public val queues: Set<String>? = settings.queues?.toSet()

    /** How many jobs one claim takes at most. */
    @get:JvmName("claimBatchSize")
    public val claimBatchSize: Int = settings.claimBatchSize

    /** How long a lease lasts without a renewal; the worker renews it three times in that time. */
    @get:JvmName("lease")
    public val lease: Duration = settings.lease

    /** The pause after a poll that finds no due job; it doubles up to [maxPollInterval]. */
    @get:JvmName("pollInterval")
    public val pollInterval: Duration = settings.pollInterval

    /** The longest pause between polls; at most five seconds while no notifications arrive. */
    @get:JvmName("maxPollInterval")
    public val maxPollInterval: Duration = maxOf(settings.maxPollInterval, settings.pollInterval)

    /** How long running jobs may continue once the worker stops. */
    @get:JvmName("shutdownGrace")
    public val shutdownGrace: Duration = settings.shutdownGrace

    /** How long a handler has to stop once it is asked to. After that it counts as stuck. */
    @get:JvmName("stopGrace")
    public val stopGrace: Duration = settings.stopGrace

    /** Whether this worker fires schedules. */
    @get:JvmName("scheduler")
    public val scheduler: Boolean = settings.scheduler

    /** The longest pause between checks for due schedules. */
    @get:JvmName("schedulerInterval")
    public val schedulerInterval: Duration = settings.schedulerInterval

    /** Whether this worker reaps expired leases, that is, the jobs of lost workers. */
    @get:JvmName("reaper")
    public val reaper: Boolean = settings.reaper

    /** How often the worker reaps expired leases. */
    @get:JvmName("reaperInterval")
    public val reaperInterval: Duration = settings.reaperInterval

    /** How long a reaped job waits for its retry if neither it nor its type has a retry policy. */
    @get:JvmName("reaperRetryDelay")
    public val reaperRetryDelay: Duration = settings.reaperRetryDelay

    /** How long a dead-letter hook may take for one letter. */
    @get:JvmName("hookTimeout")
    public val hookTimeout: Duration = settings.hookTimeout

    /** How long one poll of a trigger may take. */
    @get:JvmName("triggerTimeout")
    public val triggerTimeout: Duration = settings.triggerTimeout

    /** How long ended jobs are kept, by status; jobs of a status without an entry are kept forever. */
    @get:JvmName("retention")
    public val retention: Map<JobStatus, Duration> = settings.retention.toMap()

    /** How long ended workflow runs are kept, by status; runs of a status without an entry are kept forever. */
    @get:JvmName("runRetention")
    public val runRetention: Map<WorkflowRunStatus, Duration> = settings.runRetention.toMap()

    /** How long the history of schedules is kept; null means forever. */
    @get:JvmName("fireRetention")
    public val fireRetention: Duration? = settings.fireRetention

    /** How long the history of triggers is kept, with the keys they have fired under; null means forever. */
    @get:JvmName("pollRetention")
    public val pollRetention: Duration? = settings.pollRetention

    /** How long a lost worker stays on the list. */
    @get:JvmName("workerRetention")
    public val workerRetention: Duration = settings.workerRetention

    /** How often the worker deletes jobs, runs, history and lost workers that are past their retention. */
    @get:JvmName("janitorInterval")
    public val janitorInterval: Duration = settings.janitorInterval

    /** How often the worker sends a heartbeat and reads its orders. */
    @get:JvmName("beatInterval")
    public val beatInterval: Duration = settings.beatInterval

    public companion object {
        /** Every setting at its default. */
        @JvmStatic
        public fun defaults(): WorkerConfig = builder().build()

        /** Starts from the defaults. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** The defaults, overridden by the environment; see [Builder.env]. */
        @JvmStatic
        @JvmOverloads
        public fun fromEnv(environment: Map<String, String> = System.getenv()): WorkerConfig = builder().env(environment).build()
    }

    /**
     * Collects settings; each method throws an `IllegalArgumentException` for an invalid value. Not safe for use by several
     * threads.
     */
    public class Builder internal constructor() {
        private val settings = WorkerSettings()

        /** The worker's id. Must be unique among the running workers. Default: `worker-` and a random id. */
        public fun workerId(id: String): Builder = apply { settings.workerId = Identifier.WORKER_ID.require(id) }

        /** The labels by which orders select the worker; replaces earlier labels. Default: none. */
        public fun labels(vararg labels: String): Builder =
            apply { settings.labels = labels.map(Identifier.WORKER_LABEL::require).toSet() }

        /** The version of the service, for the list of workers. Default: none. */
        public fun applicationVersion(version: String): Builder = apply {
            require(!Text.isBlank(version) && Text.isStorable(version) && Text.utf8Length(version) <= MAX_VERSION_BYTES) {
                "applicationVersion is blank or longer than $MAX_VERSION_BYTES bytes: use short visible text."
            }
            settings.applicationVersion = version
        }

        /** How many jobs run at the same time. Default: 32. */
        public fun maxConcurrency(jobs: Int): Builder = apply { settings.maxConcurrency = positive("maxConcurrency", jobs) }

        /** How many jobs of [type] run at the same time. */
        public fun typeLimit(type: JobType<*>, jobs: Int): Builder = typeLimit(type.name(), jobs)

        /** How many jobs of [jobType] run at the same time. */
        public fun typeLimit(jobType: String, jobs: Int): Builder =
            apply { settings.typeLimits[jobType] = positive("typeLimit of '$jobType'", jobs) }

        /**
         * Claims only jobs of these queues; `default` stands for the jobs in no named queue. Replaces earlier queues. Default:
         * all queues.
         */
        public fun queues(vararg names: String): Builder = apply {
            require(names.isNotEmpty()) { "queues is empty: name at least one queue, or leave it out to serve all queues." }
            settings.queues = names.map(Identifier.WORKER_LABEL::require).toSet()
        }

        /** How many jobs one claim takes at most, 1 to 1,000. Default: 1,000. */
        public fun claimBatchSize(jobs: Int): Builder = apply {
            require(jobs in 1..MAX_BATCH) { "claimBatchSize is $jobs: give 1 to $MAX_BATCH." }
            settings.claimBatchSize = jobs
        }

        /** How long a lease lasts without a renewal, in whole seconds. Default: a minute. */
        public fun lease(lease: Duration): Builder =
            apply { settings.lease = Duration.ofSeconds(ClaimRequest.leaseSeconds(lease).toLong()) }

        /** The pause after a poll that finds no due job; it doubles up to [maxPollInterval]. Default: half a second. */
        public fun pollInterval(interval: Duration): Builder =
            apply { settings.pollInterval = positive("pollInterval", interval) }

        /** The longest pause between polls. Default: 30 seconds; at most five while no notifications arrive. */
        public fun maxPollInterval(interval: Duration): Builder =
            apply { settings.maxPollInterval = positive("maxPollInterval", interval) }

        /** How long running jobs may continue once the worker stops; zero asks them to stop at once. Default: 30 seconds. */
        public fun shutdownGrace(grace: Duration): Builder =
            apply { settings.shutdownGrace = notNegative("shutdownGrace", grace) }

        /** How long a handler has to stop once it is asked to. Default: five seconds. */
        public fun stopGrace(grace: Duration): Builder = apply { settings.stopGrace = notNegative("stopGrace", grace) }

        /** Whether the worker fires schedules. Any number of workers may. Default: true. */
        public fun scheduler(isOn: Boolean): Builder = apply { settings.scheduler = isOn }

        /** The longest pause between checks for due schedules. Default: 30 seconds. */
        public fun schedulerInterval(interval: Duration): Builder =
            apply { settings.schedulerInterval = positive("schedulerInterval", interval) }

        /** Whether the worker reaps expired leases (jobs of lost workers). Any number of workers may. Default: true. */
        public fun reaper(isOn: Boolean): Builder = apply { settings.reaper = isOn }

        /** How often the worker reaps expired leases. Default: 15 seconds. */
        public fun reaperInterval(interval: Duration): Builder = apply {
            settings.reaperInterval =
                positive("reaperInterval", interval)
        }

        /** How long a reaped job waits for its retry if neither it nor its type has a retry policy. Default: 30 seconds. */
        public fun reaperRetryDelay(delay: Duration): Builder = apply {
            settings.reaperRetryDelay =
                positive("reaperRetryDelay", delay)
        }

        /** How long a dead-letter hook may take for one letter, which is then delivered again later. Default: 30 seconds. */
        public fun hookTimeout(timeout: Duration): Builder = apply { settings.hookTimeout = positive("hookTimeout", timeout) }

        /** How long one poll of a trigger may take before it is stopped and counts as failed. Default: 30 seconds. */
        public fun triggerTimeout(timeout: Duration): Builder =
            apply { settings.triggerTimeout = positive("triggerTimeout", timeout) }

        /**
         * Deletes no jobs, runs or history: clears the default ages and those set so far. An age set after this call applies.
         * Lost workers are still removed from the list: [workerRetention].
         */
        public fun keepEverything(): Builder = apply {
            settings.retention.clear()
            settings.runRetention.clear()
            settings.fireRetention = null
            settings.pollRetention = null
        }

        /**
         * Deletes jobs that ended as [status] once they are older than [age], with their attempts, events and logs. Default: 30
         * days for jobs that succeeded or were canceled; dead letters are kept forever. Jobs of workflow steps are kept with
         * their run. Once a job is deleted, its idempotency key can be used again.
         */
        public fun retention(status: JobStatus, age: Duration): Builder = apply {
            require(status.isTerminal) { "retention of $status: only ended jobs can be deleted. Give a terminal status." }
            settings.retention[status] = notNegative("retention of $status", age)
        }

        /**
         * Deletes workflow runs that ended as [status] once they are older than [age], with their steps and jobs. Default: 30
         * days for runs that succeeded or were canceled; runs that completed with errors are kept forever.
         */
        public fun runRetention(status: WorkflowRunStatus, age: Duration): Builder = apply {
            require(status.isTerminal) { "runRetention of $status: only ended runs can be deleted. Give a terminal status." }
            settings.runRetention[status] = notNegative("runRetention of $status", age)
        }

        /** The same for every terminal status. */
        public fun runRetention(age: Duration): Builder =
            apply { WorkflowRunStatus.entries.filter { it.isTerminal }.forEach { runRetention(it, age) } }

        /** Deletes history of schedules that is older than [age]. Default: 90 days. */
        public fun fireRetention(age: Duration): Builder = apply { settings.fireRetention = notNegative("fireRetention", age) }

        /**
         * Deletes history of triggers that is older than [age]. Default: kept forever, because a trigger fires again under a key
         * whose history is deleted.
         */
        public fun pollRetention(age: Duration): Builder = apply { settings.pollRetention = notNegative("pollRetention", age) }

        /** Removes lost workers from the list once their last heartbeat is older than [age]. Default: a day. */
        public fun workerRetention(age: Duration): Builder =
            apply { settings.workerRetention = notNegative("workerRetention", age) }

        /**
         * How often the worker sends a heartbeat and reads its orders, from a millisecond to a day. Default: 30 seconds. After
         * three missed heartbeats the worker counts as lost. With notifications, it reads orders sooner.
         */
        public fun beatInterval(interval: Duration): Builder = apply {
            require(interval in MIN_BEAT..MAX_BEAT) { "beatInterval is $interval: give a millisecond to a day." }
            settings.beatInterval = interval
        }

        /** How often the worker deletes rows that are past their retention. Default: ten minutes. */
        public fun janitorInterval(interval: Duration): Builder =
            apply { settings.janitorInterval = positive("janitorInterval", interval) }

        /**
         * Applies the `JOBS_*` variables of [environment]. A missing or blank variable changes nothing. A value out of range is
         * replaced by the nearest value in range. A value that cannot be parsed throws an `IllegalArgumentException` that names
         * the variable.
         */
        @JvmOverloads
        public fun env(environment: Map<String, String> = System.getenv()): Builder =
            apply { WorkerVariable.entries.forEach { it.read(environment, this) } }

        /** A config with the settings made so far. */
        public fun build(): WorkerConfig = WorkerConfig(settings)

        private fun positive(name: String, value: Int): Int {
            require(value >= 1) { "$name is $value: give 1 or more." }
            return value
        }

        private fun positive(name: String, value: Duration): Duration {
            require(!value.isNegative && !value.isZero) { "$name is $value: give a positive duration." }
            return value
        }

        private fun notNegative(name: String, value: Duration): Duration {
            require(!value.isNegative) { "$name is $value: give zero or more." }
            return value
        }

        private companion object {
            const val MAX_BATCH = 1_000
            const val MAX_VERSION_BYTES = 255
            val MIN_BEAT: Duration = Duration.ofMillis(1)
            val MAX_BEAT: Duration = Duration.ofDays(1)
        }
    }
}

/** Whether the worker claims jobs in no named queue. */
internal val WorkerConfig.servesDefaultQueue: Boolean get() = queues?.let { ClaimRequest.DEFAULT_QUEUE in it } ?: true
