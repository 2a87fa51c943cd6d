package io.runledger.coroutines.loop

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.handlers
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimedJob
import kotlinx.coroutines.test.TestScope
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

val greet: JobType<String> = JobType.of("greet", String::class.java)
private val registration: Handlers.Registration<*> = checkNotNull(handlers { on(greet) { } }.of("greet"))

internal fun TestScope.ticker(name: String = "loop"): Ticker =
    Ticker(name, LedgerHealth("w1", Observers(emptyList(), backgroundScope), clock = testScheduler.timeSource))

/** An attempt whose lease is held for [held] from now, by the test's clock. */
internal fun TestScope.attempt(job: ClaimedJob = claimedJob(), held: Duration = 60.seconds): Attempt =
    Attempt(job, registration, testScheduler.timeSource.markNow() + held, "runledger")

fun away(): Nothing = throw UnavailableException(ErrorCode.DB_UNREACHABLE, "The database cannot be reached.")
