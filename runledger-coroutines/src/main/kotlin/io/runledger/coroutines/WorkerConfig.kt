package io.runledger.coroutines

import io.runledger.model.id.Identifier
import io.runledger.model.id.Text
import io.runledger.model.id.UuidV7
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.JobType
import io.runledger.model.state.JobStatus
import io.runledger.model.state.WorkflowRunStatus
import java.time.Duration

/** How a worker works. Every setting has a default; `docs/settings.md` lists them all. Immutable. */
public class WorkerConfig private constructor(settings: WorkerSettings) {
    /** Who the worker is, in rows and logs. */
    public val workerId: String = settings.workerId ?: "worker-${UuidV7.next()}"

    /** What orders can call the worker by. */
    public val labels: Set<String> = settings.labels.toSet()

    /** The version of the service, for the list of workers. */
    public val applicationVersion: String? = settings.applicationVersion

    /** How many jobs run at once. */
    public val maxConcurrency: Int = settings.maxConcurrency

    /** How many jobs of a type run at once; types that are not named are bounded by [maxConcurrency] alone. */
    public val typeLimits: Map<String, Int> = settings.typeLimits.toMap()

    /** How many jobs one claim takes at most. */
    public val claimBatchSize: Int = settings.claimBatchSize

    /** How long a job stays this worker's without a renewal; it is renewed three times in that time. */
    public val lease: Duration = settings.lease

    /** How soon the worker looks again after it found nothing; the time doubles up to [maxPollInterval]. */
    public val pollInterval: Duration = settings.pollInterval

    /** How rarely an idle worker looks, at most; five seconds at most while there are no notifications. */
    public val maxPollInterval: Duration = maxOf(settings.maxPollInterval, settings.pollInterval)

    /** How long running jobs may go on once the worker is told to end. */
    public val shutdownGrace: Duration = settings.shutdownGrace

    /** How long a handler has to stop once it is asked to, before it counts as stuck. */
    public val stopGrace: Duration = settings.stopGrace

    /** Whether this worker fires schedules. */
    public val scheduler: Boolean = settings.scheduler

    /** How rarely it looks for schedules, at most. */
    public val schedulerInterval: Duration = settings.schedulerInterval

    /** Whether this worker hands on jobs of workers that vanished. */
    public val reaper: Boolean = settings.reaper

    /** How often it looks for them. */
    public val reaperInterval: Duration = settings.reaperInterval

    /** How long such a job waits before it is tried again, where neither it nor its type has a retry policy. */
    public val reaperRetryDelay: Duration = settings.reaperRetryDelay

    /** How long a dead-letter hook may take for one letter. */
    public val hookTimeout: Duration = settings.hookTimeout

    /** How long one poll of a trigger may take. */
    public val triggerTimeout: Duration = settings.triggerTimeout

    /** How long ended jobs are kept, by status; those of a status that is not named are kept for ever. */
    public val retention: Map<JobStatus, Duration> = settings.retention.toMap()

    /** How long ended workflow runs are kept, by status; those of a status that is not named are kept for ever. */
    public val runRetention: Map<WorkflowRunStatus, Duration> = settings.runRetention.toMap()

    /** How long the history of schedules is kept; null for ever. */
    public val fireRetention: Duration? = settings.fireRetention

    /** How long the history of triggers is kept, and so what they found; null for ever. */
    public val pollRetention: Duration? = settings.pollRetention

    /** How long a worker that vanished stays on the list. */
    public val workerRetention: Duration = settings.workerRetention

    /** How often it looks for jobs, runs, history and vanished workers that need not be kept. */
    public val janitorInterval: Duration = settings.janitorInterval

    /** How often it says that it is alive, and looks for orders. */
    public val beatInterval: Duration = settings.beatInterval

    public companion object {
        /** Every setting at its default. */
        @JvmStatic
        public fun defaults(): WorkerConfig = builder().build()

        /** Starts from the defaults. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** The defaults with what the environment says; see [Builder.env]. */
        @JvmStatic
        @JvmOverloads
        public fun fromEnv(environment: Map<String, String> = System.getenv()): WorkerConfig = builder().env(environment).build()
    }

    /**
     * Collects settings; a value that makes no sense is an `IllegalArgumentException` at once. Not safe for use by several
     * threads.
     */
    public class Builder internal constructor() {
        private val settings = WorkerSettings()

        /** Who the worker is; `worker-` and a random id unless given. Unique among the workers that live at a time. */
        public fun workerId(id: String): Builder = apply { settings.workerId = Identifier.WORKER_ID.require(id) }

        /** What orders can call the worker by, instead of what was given before; nothing unless given. */
        public fun labels(vararg labels: String): Builder =
            apply { settings.labels = labels.map(Identifier.WORKER_LABEL::require).toSet() }

        /** The version of the service, for the list of workers; untold unless given. */
        public fun applicationVersion(version: String): Builder = apply {
            require(!Text.isBlank(version) && Text.isStorable(version) && Text.utf8Length(version) <= MAX_VERSION_BYTES) {
                "applicationVersion is blank or longer than $MAX_VERSION_BYTES bytes: use short visible text."
            }
            settings.applicationVersion = version
        }

        /** How many jobs run at once; 32 unless given. */
        public fun maxConcurrency(jobs: Int): Builder = apply { settings.maxConcurrency = positive("maxConcurrency", jobs) }

        /** How many jobs of [type] run at once. */
        public fun typeLimit(type: JobType<*>, jobs: Int): Builder = typeLimit(type.name(), jobs)

        /** How many jobs of [jobType] run at once. */
        public fun typeLimit(jobType: String, jobs: Int): Builder =
            apply { settings.typeLimits[jobType] = positive("typeLimit of '$jobType'", jobs) }

        /** How many jobs one claim takes at most, 1 to 1,000; 16 unless given. */
        public fun claimBatchSize(jobs: Int): Builder = apply {
            require(jobs in 1..MAX_BATCH) { "claimBatchSize is $jobs: give 1 to $MAX_BATCH." }
            settings.claimBatchSize = jobs
        }

        /** How long a job stays the worker's without a renewal, in whole seconds; a minute unless given. */
        public fun lease(lease: Duration): Builder =
            apply { settings.lease = Duration.ofSeconds(ClaimRequest.leaseSeconds(lease).toLong()) }

        /** How soon the worker looks again after it found nothing; half a second unless given. */
        public fun pollInterval(interval: Duration): Builder =
            apply { settings.pollInterval = positive("pollInterval", interval) }

        /** How rarely an idle worker looks, at most; 30 seconds unless given, five without notifications. */
        public fun maxPollInterval(interval: Duration): Builder =
            apply { settings.maxPollInterval = positive("maxPollInterval", interval) }

        /**
         * How long running jobs may go on once the worker is told to end; 30 seconds unless given, zero asks them to stop at
         * once.
         */
        public fun shutdownGrace(grace: Duration): Builder =
            apply { settings.shutdownGrace = notNegative("shutdownGrace", grace) }

        /** How long a handler has to stop once it is asked to; five seconds unless given. */
        public fun stopGrace(grace: Duration): Builder = apply { settings.stopGrace = notNegative("stopGrace", grace) }

        /** Whether the worker fires schedules; it does unless told not to. Any number of workers may. */
        public fun scheduler(isOn: Boolean): Builder = apply { settings.scheduler = isOn }

        /** How rarely the worker looks for schedules, at most; 30 seconds unless given. */
        public fun schedulerInterval(interval: Duration): Builder =
            apply { settings.schedulerInterval = positive("schedulerInterval", interval) }

        /**
         * Whether the worker hands on jobs of workers that vanished; it does unless told not to. Any number of workers may.
         */
        public fun reaper(isOn: Boolean): Builder = apply { settings.reaper = isOn }

        /** How often the worker looks for jobs of workers that vanished; 15 seconds unless given. */
        public fun reaperInterval(interval: Duration): Builder = apply {
            settings.reaperInterval =
                positive("reaperInterval", interval)
        }

        /**
         * How long such a job waits before it is tried again, where neither it nor its type has a retry policy; 30 seconds unless
         * given.
         */
        public fun reaperRetryDelay(delay: Duration): Builder = apply {
            settings.reaperRetryDelay =
                positive("reaperRetryDelay", delay)
        }

        /** How long a dead-letter hook may take for one letter before it is tried again later; 30 seconds unless given. */
        public fun hookTimeout(timeout: Duration): Builder = apply { settings.hookTimeout = positive("hookTimeout", timeout) }

        /** How long one poll of a trigger may take before it is stopped and counts as failed; 30 seconds unless given. */
        public fun triggerTimeout(timeout: Duration): Builder =
            apply { settings.triggerTimeout = positive("triggerTimeout", timeout) }

        /**
         * Forgets nothing by itself: neither jobs nor runs nor history, from defaults or settings so far. What is set after this
         * counts again. Workers that vanished leave the list all the same: [workerRetention].
         */
        public fun keepEverything(): Builder = apply {
            settings.retention.clear()
            settings.runRetention.clear()
            settings.fireRetention = null
            settings.pollRetention = null
        }

        /**
         * Forgets jobs that ended as [status] once they are older than [age], with their attempts, events and logs; 30 days for
         * those that succeeded or were canceled unless given. Dead letters are kept for ever unless given. Jobs of workflow steps
         * stay with their run. The idempotency key of a job that is forgotten is free again.
         */
        public fun retention(status: JobStatus, age: Duration): Builder = apply {
            require(status.isTerminal) { "retention of $status: only ended jobs can be forgotten." }
            settings.retention[status] = notNegative("retention of $status", age)
        }

        /**
         * Forgets workflow runs that ended as [status] once they are older than [age], with their steps and jobs; 30 days for
         * those that succeeded or were canceled unless given. Runs that completed with errors are kept for ever unless given.
         */
        public fun runRetention(status: WorkflowRunStatus, age: Duration): Builder = apply {
            require(status.isTerminal) { "runRetention of $status: only ended runs can be forgotten." }
            settings.runRetention[status] = notNegative("runRetention of $status", age)
        }

        /** The same for every ending. */
        public fun runRetention(age: Duration): Builder =
            apply { WorkflowRunStatus.entries.filter { it.isTerminal }.forEach { runRetention(it, age) } }

        /** Forgets lines of schedules' histories once they are older than [age]; 90 days unless given. */
        public fun fireRetention(age: Duration): Builder = apply { settings.fireRetention = notNegative("fireRetention", age) }

        /**
         * Forgets lines of triggers' histories once they are older than [age]; kept for ever unless given, for what a trigger
         * found is started again when it is found again after that.
         */
        public fun pollRetention(age: Duration): Builder = apply { settings.pollRetention = notNegative("pollRetention", age) }

        /** Takes workers that vanished off the list once they have not beaten for longer than [age]; a day unless given. */
        public fun workerRetention(age: Duration): Builder =
            apply { settings.workerRetention = notNegative("workerRetention", age) }

        /**
         * How often the worker says that it is alive and looks for orders, a millisecond to a day; 30 seconds unless given.
         * After three of these it is believed lost. Notifications bring orders sooner.
         */
        public fun beatInterval(interval: Duration): Builder = apply {
            require(interval in MIN_BEAT..MAX_BEAT) { "beatInterval is $interval: give a millisecond to a day." }
            settings.beatInterval = interval
        }

        /** How often the worker looks for what need not be kept, vanished workers too; ten minutes unless given. */
        public fun janitorInterval(interval: Duration): Builder =
            apply { settings.janitorInterval = positive("janitorInterval", interval) }

        /**
         * Takes over what the `JOBS_*` variables of [environment] say. One that is missing or blank changes nothing, one that
         * is out of range takes the nearest value in range, and one that cannot be read is an `IllegalArgumentException` that
         * names it.
         */
        @JvmOverloads
        public fun env(environment: Map<String, String> = System.getenv()): Builder =
            apply { WorkerVariable.entries.forEach { it.read(environment, this) } }

        /** The config as it stands now. */
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
