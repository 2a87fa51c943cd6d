package io.runledger.micrometer

import io.micrometer.core.instrument.Counter
import io.micrometer.core.instrument.DistributionSummary
import io.micrometer.core.instrument.Gauge
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Tag
import io.micrometer.core.instrument.Tags
import io.micrometer.core.instrument.Timer
import io.runledger.coroutines.WorkerMeter
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.run.ExpiredGate
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleFire
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

/**
 * Measures workers with Micrometer: `RunledgerWorker.builder(client).meter(WorkerMetrics(registry))`. One instance may measure
 * all workers of a process, and then counts them together. `docs/metrics.md` lists the meters.
 *
 * Tags are bounded: the job type for the first 100 types, the code for the codes of the library and the first 100 others, and
 * `other` for the rest. No tag contains an id, a tenant or a message.
 */
public class WorkerMetrics private constructor(private val registry: MeterRegistry, settings: Builder) : WorkerMeter {
    private val tags = settings.common.tags
    private val buckets = settings.buckets
    private val mostTypes = settings.common.maxTypes
    private val codes = BoundedTags(settings.maxCodes, stableCodes)
    private val types = ConcurrentHashMap<String, TypeMeters>()

    /** The meters of the types beyond the limit; null before there are any. */
    @Volatile
    private var others: TypeMeters? = null

    private val claims = Timer.builder("runledger.claim").description("Calls that claim jobs").tags(tags).register(registry)
    private val claimSizes = DistributionSummary.builder("runledger.claim.size")
        .description("Jobs per claim").baseUnit("jobs").tags(tags).register(registry)
    private val settlements =
        Timer.builder("runledger.settlement").description("Calls that settle a batch of attempts").tags(tags).register(registry)
    private val settlementSizes = DistributionSummary.builder("runledger.settlement.size")
        .description("Attempts per settlement").baseUnit("attempts").tags(tags).register(registry)
    private val renewals = Renewal.Answer.entries.map { answer ->
        counter("runledger.lease.renewals", "Renewals of leases, by their answer", "result", answer.tag)
    }
    private val fires = FireOutcome.entries.map { outcome ->
        counter("runledger.schedule.fires", "Instants of schedules and polls that were handled", "outcome", outcome.tag)
    }
    private val lateness = Timer.builder("runledger.schedule.lateness")
        .description("The time from the instant of a schedule to its fire").tags(tags).register(registry)
    private val expired = counter("runledger.gate.expired", "Gates that were not completed in time")
    private val outages = ConcurrentHashMap<String, Counter>()
    private val unavailable = AtomicInteger()

    init {
        Gauge.builder("runledger.worker.unavailable") { unavailable.get() }
            .description("Workers of this process that cannot use the ledger").tags(tags).register(registry)
    }

    /** Measures in [registry] with the default settings. */
    public constructor(registry: MeterRegistry) : this(registry, Builder(registry))

    override fun claimed(jobs: List<ClaimedJob>, limit: Int, elapsedNanos: Long) {
        claims.record(elapsedNanos, TimeUnit.NANOSECONDS)
        claimSizes.record(jobs.size.toDouble())
    }

    override fun started(job: ClaimedJob, waitNanos: Long): Unit = metersOf(job.jobType()).started(waitNanos)

    override fun ended(
        job: ClaimedJob,
        result: WorkerMeter.Result,
        runNanos: Long,
        failure: JobFailure?,
        reason: DeadLetterReason?,
    ): Unit = metersOf(job.jobType()).ended(result, runNanos, failure, reason)

    override fun stuck(job: ClaimedJob, reason: Cancellation.Reason): Unit = metersOf(job.jobType()).stuck(reason)

    override fun settled(attempts: Int, elapsedNanos: Long) {
        settlements.record(elapsedNanos, TimeUnit.NANOSECONDS)
        settlementSizes.record(attempts.toDouble())
    }

    override fun renewed(renewals: List<Renewal>): Unit = renewals.forEach { this.renewals[it.answer().ordinal].increment() }

    override fun reaped(job: ReapedJob): Unit = metersOf(job.jobType()).reaped(job.result())

    override fun fired(fire: ScheduleFire) {
        fires[fire.outcome().ordinal].increment()
        if (fire.outcome() == FireOutcome.FIRED && fire.cause() == FireCause.CLOCK) lateness.record(fire.lateness())
    }

    override fun expired(gate: ExpiredGate): Unit = expired.increment()

    override fun unavailable(failure: RunledgerException) {
        unavailable.incrementAndGet()
        outages.computeIfAbsent(failure.code().wire()) {
            counter("runledger.worker.outages", "How often a worker could not use the ledger, by the first cause", "code", it)
        }.increment()
    }

    override fun available() {
        unavailable.decrementAndGet()
    }

    private fun metersOf(jobType: String): TypeMeters = types[jobType] ?: others ?: newMeters(jobType)

    @Synchronized
    private fun newMeters(jobType: String): TypeMeters {
        val isOther = types.size >= mostTypes
        if (!isOther) return types.getOrPut(jobType) { typeMeters(jobType) }
        return types[jobType] ?: others ?: typeMeters(BoundedTags.OTHER).also { others = it }
    }

    private fun typeMeters(tag: String) = TypeMeters(registry, tags.and("type", tag), codes, buckets)

    private fun counter(name: String, description: String, vararg more: String): Counter =
        Counter.builder(name).description(description).tags(tags.and(*more)).register(registry)

    /** Settings of the meters. Not safe for use by several threads. */
    public class Builder internal constructor(private val registry: MeterRegistry) {
        @get:JvmSynthetic
        internal val common = CommonSettings()

        @get:JvmSynthetic
        internal var maxCodes: Int = MOST_CODES
            private set

        @get:JvmSynthetic
        internal var buckets: Array<Duration> = standardBuckets
            private set

        /** Adds tags to every meter, for example the name of the ledger if the process measures several apart. */
        public fun tags(tags: Iterable<Tag>): Builder = apply { common.addTags(tags) }

        /** How many job types have meters of their own, by default 100. The first ones count. */
        public fun maxTypes(most: Int): Builder = apply { common.maxTypes = most }

        /** How many codes of handlers are told apart, by default 100. The first ones count. The library's codes always are. */
        public fun maxCodes(most: Int): Builder = apply { maxCodes = notNegative("maxCodes", most) }

        /**
         * The bounds of the buckets in which wait and run times are counted, by default from 10 milliseconds to 15 minutes; none
         * for no buckets. A dashboard computes percentiles from the buckets. Each is a series per type and result.
         */
        public fun buckets(vararg bounds: Duration): Builder = apply {
            require(bounds.all { it > Duration.ZERO }) { "The buckets are ${bounds.toList()}: give times above zero." }
            buckets = bounds.toSortedSet().toTypedArray()
        }

        /** Registers the meters. */
        public fun build(): WorkerMetrics = WorkerMetrics(registry, this)
    }

    public companion object {
        private const val MOST_CODES = 100
        private val stableCodes = ErrorCode.entries.map { it.wire() }.toSet()
        private val standardBuckets = longArrayOf(10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000)
            .map(Duration::ofMillis).toTypedArray()

        /** A builder for meters in [registry]. */
        @JvmStatic
        public fun builder(registry: MeterRegistry): Builder = Builder(registry)
    }
}
