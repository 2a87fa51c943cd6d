package io.runledger.micrometer

import io.micrometer.core.instrument.Counter
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Tags
import io.micrometer.core.instrument.Timer
import io.runledger.coroutines.WorkerMeter.Result
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ReapedJob
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicReferenceArray

/**
 * The meters of one job type. They are looked up in the registry once. The counters of all results, and of stuck handlers, exist
 * from the first job on, so that their first increase is visible.
 */
internal class TypeMeters(
    private val registry: MeterRegistry,
    private val tags: Tags,
    private val codes: BoundedTags,
    private val buckets: Array<Duration>,
) {
    private val waits = timer("runledger.job.wait", "The time from when a job was due to the start of its handler", tags)
    private val runs = AtomicReferenceArray<Timer>(results.size)
    private val attempts = results.map { counter("runledger.job.attempts", "Attempts that have ended", "result", it.tag) }
    private val retries = ConcurrentHashMap<String, Counter>()
    private val deadLetters = DeadLetterReason.entries.associateWith { ConcurrentHashMap<String, Counter>() }
    private val stuck = Cancellation.Reason.entries.map {
        counter("runledger.job.stuck", "Handlers that were asked to stop and were still running", "reason", it.tag)
    }
    private val reaped = ConcurrentHashMap<ReapedJob.Result, Counter>()

    fun started(waitNanos: Long) = waits.record(waitNanos, TimeUnit.NANOSECONDS)

    fun ended(result: Result, runNanos: Long, failure: JobFailure?, reason: DeadLetterReason?) {
        attempts[result.ordinal].increment()
        if (runNanos > 0) run(result).record(runNanos, TimeUnit.NANOSECONDS)
        when (result) {
            Result.RETRIED -> retried(failure)
            Result.DEAD_LETTERED -> deadLettered(failure, reason)
            else -> Unit
        }
    }

    fun stuck(reason: Cancellation.Reason) = stuck[reason.ordinal].increment()

    fun reaped(result: ReapedJob.Result) = reaped.computeIfAbsent(result) {
        counter("runledger.lease.reaped", "Expired leases that the reaper handled", "result", it.tag)
    }.increment()

    private fun run(result: Result): Timer = runs[result.ordinal] ?: timer(
        "runledger.job.run",
        "The time from the start of a handler to its end",
        tags.and("result", result.tag),
    ).also { runs[result.ordinal] = it }

    private fun retried(failure: JobFailure?) = retries.computeIfAbsent(codeOf(failure)) {
        counter("runledger.job.retries", "Failed attempts that are retried", "code", it)
    }.increment()

    private fun deadLettered(failure: JobFailure?, reason: DeadLetterReason?) {
        val known = reason ?: DeadLetterReason.FAILURE_KIND_NON_RETRYABLE
        deadLetters.getValue(known).computeIfAbsent(codeOf(failure)) {
            counter("runledger.job.dead.letters", "Jobs that became dead letters", "code", it, "reason", known.tag)
        }.increment()
    }

    private fun codeOf(failure: JobFailure?) = failure?.let { codes.of(it.code()) } ?: BoundedTags.OTHER

    private fun counter(name: String, description: String, vararg more: String): Counter =
        Counter.builder(name).description(description).tags(tags.and(*more)).register(registry)

    private fun timer(name: String, description: String, tags: Tags): Timer =
        Timer.builder(name).description(description).tags(tags).serviceLevelObjectives(*buckets).register(registry)

    private companion object {
        val results = Result.entries
    }
}

/** The value of a tag for a constant. */
internal val Enum<*>.tag: String get() = name.lowercase()
