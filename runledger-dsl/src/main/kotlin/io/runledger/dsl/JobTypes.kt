package io.runledger.dsl

import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.JobType
import kotlin.reflect.javaType
import kotlin.reflect.typeOf
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a job type; producer and worker share the declaration.
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
     * The declaring code's own version of the type; 1 unless said. Raise it with every change of the declaration: what is
     * stored under a newer version stays when an older build starts.
     */
    public fun version(version: Int) {
        type.version(version)
    }

    /** How often a job is tried, 1 or more; 8 unless said. */
    public fun maxAttempts(maxAttempts: Int) {
        type.maxAttempts(maxAttempts)
    }

    /** How long one attempt may run; 15 minutes unless said. */
    public fun timeout(timeout: Duration) {
        type.timeout(timeout.toJavaDuration())
    }

    /** Larger is claimed earlier; 100 unless said. */
    public fun priority(priority: Int) {
        type.priority(priority)
    }

    /** Declares the type as disabled: new jobs are refused, queued ones still run. */
    public fun disabled() {
        type.disabled()
    }

    /** How failures are retried. */
    public fun retryPolicy(retryPolicy: RetryPolicy) {
        type.retryPolicy(retryPolicy)
    }

    /** How failures are retried. */
    public fun retryPolicy(block: RetryPolicyScope.() -> Unit) {
        type.retryPolicy(RetryPolicyScope.read(block))
    }
}
