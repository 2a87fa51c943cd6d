package io.runledger.dsl

import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
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
public inline fun <reified P : Any> jobType(name: String, block: JobTypeScope.() -> Unit = {}): JobType<P> {
    val builder = JobType.builder<P>(name, typeOf<P>().javaType)
    JobTypeScope(builder).block()
    return builder.build()
}

/** The body of [jobType]: the defaults of its jobs. */
@RunledgerDsl
public class JobTypeScope @PublishedApi internal constructor(private val type: JobType.Builder<*>) {
    /**
     * Sets the version of the declaration; the default is 1. Raise it with every change: a declaration with an older
     * version than the stored one changes nothing.
     */
    public fun version(version: Int) {
        type.version(version)
    }

    /** Sets the maximum number of attempts, 1 or more; the default is 8. */
    public fun maxAttempts(maxAttempts: Int) {
        type.maxAttempts(maxAttempts)
    }

    /** Sets the maximum duration of an attempt; the default is 15 minutes. */
    public fun timeout(timeout: Duration) {
        type.timeout(timeout.toJavaDuration())
    }

    /** A larger number is claimed earlier; the default is 100. */
    public fun priority(priority: Int) {
        type.priority(priority)
    }

    /** Declares the type as disabled: new jobs are rejected, queued jobs still run. */
    public fun disabled() {
        type.disabled()
    }

    /** Sets the retry policy. */
    public fun retryPolicy(retryPolicy: RetryPolicy) {
        type.retryPolicy(retryPolicy)
    }

    /** Sets the retry policy. */
    public fun retryPolicy(block: RetryPolicyScope.() -> Unit) {
        type.retryPolicy(RetryPolicyScope.read(block))
    }
}
