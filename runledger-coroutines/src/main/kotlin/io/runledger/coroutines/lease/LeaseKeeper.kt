package io.runledger.coroutines.lease

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.attempt.RunningJobs
import io.runledger.coroutines.loop.Ticker
import io.runledger.coroutines.port.Hint
import io.runledger.coroutines.port.LeasePort
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.handler.Cancellation
import io.runledger.model.lease.Renewal
import kotlinx.coroutines.withTimeoutOrNull
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/**
 * Renews the leases of all running jobs with one statement, three times per lease. If a job is lost or canceled, its attempt is
 * stopped at once. If another session locks the row of a job, the renewal is repeated soon. If a renewal fails, handlers continue
 * as long as their lease is provably held; after that, [DeadlineWatch] stops them.
 */
internal class LeaseKeeper(
    private val lease: Duration,
    private val port: LeasePort,
    private val running: RunningJobs,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
) {
    private val interval = lease / 3
    private val hinted: MutableSet<UUID> = ConcurrentHashMap.newKeySet()
    private var nextRound: ComparableTimeMark = clock.markNow()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Renews all leases if a round is due, else only those named by hints. Returns the pause until the next pass. */
    suspend fun runOnce(): Duration {
        val named = hinted.toSet()
        val isRound = nextRound.hasPassedNow()
        val busy = renew { isRound || it.lease.jobId() in named }
        hinted.removeAll(named)
        hinted += busy
        if (isRound) nextRound = clock.markNow() + interval
        return if (busy.isEmpty()) -nextRound.elapsedNow() else minOf(-nextRound.elapsedNow(), interval / 10)
    }

    fun onHint(hint: Hint) {
        when (hint) {
            is Hint.Due, is Hint.PausedType, is Hint.PausedRun, Hint.FreedPermits, Hint.Ordered -> return
            is Hint.Canceled -> if (running.holds(hint.jobId)) hinted += hint.jobId else return
            Hint.Missed -> running.all.mapTo(hinted) { it.lease.jobId() }
        }
        ticker.wake()
    }

    /** Returns the jobs whose rows another session locks. */
    private suspend fun renew(isWanted: (Attempt) -> Boolean): List<UUID> {
        val attempts = running.all.filter { it.isHeld && isWanted(it) }
        if (attempts.isEmpty()) {
            ticker.idle()
            return emptyList()
        }
        val sentAt = clock.markNow()
        val patience = attempts.maxOf { it.heldUntil } - sentAt
        val answers = withTimeoutOrNull(patience) { port.renew(attempts.map { it.lease }, lease.toJavaDuration()) }
            ?: throw UnavailableException(
                ErrorCode.LEASE_MAINTENANCE_FAILED,
                "The ledger did not answer a lease renewal before the leases expired: check the database and the network.",
            )
        attempts.zip(answers) { attempt, renewal -> learn(attempt, renewal.answer(), sentAt) }
        return answers.filter { it.answer() == Renewal.Answer.BUSY }.map { it.lease().jobId() }
    }

    private fun learn(attempt: Attempt, answer: Renewal.Answer, sentAt: ComparableTimeMark) {
        // While the job is being settled, a lost lease is the expected answer.
        when (answer) {
            Renewal.Answer.RENEWED -> attempt.heldUntil = sentAt + lease

            Renewal.Answer.BUSY -> Unit

            Renewal.Answer.CANCELED -> if (!attempt.isSettling) attempt.cancellation.request(Cancellation.Reason.CANCELED)

            Renewal.Answer.LOST -> if (!attempt.isSettling && !attempt.isSettledByHandler) {
                attempt.cancellation.request(Cancellation.Reason.LEASE_LOST)
            }
        }
    }
}
