package io.runledger.dsl

import io.runledger.model.job.JobType
import kotlin.reflect.javaType
import kotlin.reflect.typeOf

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

/** The body of [jobType]: the defaults of its jobs. Without them: 8 attempts, a timeout of 15 minutes, priority 100. */
@RunledgerDsl
public class JobTypeScope @PublishedApi internal constructor(private val type: JobType.Builder<*>) : JobSettingsScope(type) {
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
}
