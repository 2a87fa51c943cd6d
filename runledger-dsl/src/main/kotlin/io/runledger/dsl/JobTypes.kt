package io.runledger.dsl

import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobType
import kotlin.reflect.javaType
import kotlin.reflect.typeOf
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a job type. Producers and workers share the declaration.
 *
 * `val crawlSite = jobType<CrawlRequest>("crawl") { maxAttempts(5) }`
 */
@OptIn(ExperimentalStdlibApi::class)
public inline fun <reified P : Any> jobType(name: String, block: JobTypeScope<P>.() -> Unit = {}): JobType<P> {
    val builder = JobType.builder<P>(name, typeOf<P>().javaType)
    JobTypeScope(builder).block()
    return builder.build()
}

/** The body of [jobType]: the defaults of its jobs. Without them: 8 attempts, a timeout of 15 minutes, priority 100. */
@RunledgerDsl
public class JobTypeScope<P : Any> @PublishedApi internal constructor(private val type: JobType.Builder<P>) :
    JobSettingsScope(type) {
    /**
     * Sets the version of the declaration; the default is 1. Raise it with every change: a declaration with an older
     * version than the stored one changes nothing.
     */
    public fun version(version: Int) {
        type.version(version)
    }

    /** Declares the type as disabled: new jobs are rejected, queued jobs still run. */
    public fun disabled() {
        type.disabled()
    }

    /**
     * Declares the limit [name]: how many jobs run at once ([permits], 0 pauses them), how many begin in a period ([rate]), or
     * both; with neither, another type declares the values. Types that name the same limit share it. A type has at most four
     * limits.
     *
     * With [by], each key has the whole limit: the text of the function's result. A job for which it returns null is not limited.
     * With [byOrganization], each organization has the whole limit; the global jobs together count as one.
     *
     * `limit("crm-api", permits = 8, rate = 100.per(1.seconds))`
     */
    public fun limit(
        name: String,
        permits: Int? = null,
        rate: Rate? = null,
        byOrganization: Boolean = false,
        by: ((P) -> Any?)? = null,
    ) {
        require(!byOrganization || by == null) { "The limit '$name' has a function and is by organization: use one of them." }
        type.limit(name) { limit ->
            permits?.let(limit::permits)
            rate?.let(limit::rate)
            if (byOrganization) limit.byOrganization()
            by?.let { limit.by(it) }
        }
    }

    /**
     * Runs jobs with the same key one after another, in the order of the commits of their enqueues. The key is the text of
     * [key]'s result; a job for which it returns null is in no order. Types whose orders have the same [name] share the order of
     * a key; the default is the name of the job type.
     */
    public fun orderedBy(key: (P) -> Any?, name: String? = null, afterDeadLetter: AfterDeadLetter = AfterDeadLetter.HOLD) {
        type.orderedBy(key) { order ->
            name?.let(order::named)
            order.afterDeadLetter(afterDeadLetter)
        }
    }

    /** Runs the jobs of an organization one after another; so do the global jobs. See [orderedBy]. */
    public fun orderedByOrganization(name: String? = null, afterDeadLetter: AfterDeadLetter = AfterDeadLetter.HOLD) {
        type.orderedByOrganization { order ->
            name?.let(order::named)
            order.afterDeadLetter(afterDeadLetter)
        }
    }

    /** Gives jobs with the same key one share of the type's claims: the shares take turns. [key] must not return null. */
    public fun fairBy(key: (P) -> Any) {
        type.fairBy(key)
    }

    /** Gives each organization one share of the type's claims: the organizations take turns. */
    public fun fairByOrganization() {
        type.fairByOrganization()
    }

    /** Puts the jobs in a queue, which operators can pause and limit. */
    public fun queue(queue: String) {
        type.queue(queue)
    }
}

/** A rate: `100.per(1.seconds)`. Without [burst], a tenth of the count may begin at once after a time with fewer jobs. */
@JvmSynthetic
public fun Int.per(period: Duration, burst: Int? = null): Rate {
    val rate = Rate.of(this, period.toJavaDuration())
    return if (burst == null) rate else rate.withBurst(burst)
}
