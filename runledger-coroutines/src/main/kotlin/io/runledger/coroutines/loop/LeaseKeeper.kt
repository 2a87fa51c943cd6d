package io.runledger.coroutines.loop

import io.runledger.coroutines.run.Attempt
import io.runledger.coroutines.run.RunningJobs
import io.runledger.coroutines.store.Hint
import io.runledger.coroutines.store.LeaseStore
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import io.runledger.model.run.Cancellation
import io.runledger.model.state.Renewal
import kotlinx.coroutines.withTimeoutOrNull
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/**
 * Renews the leases of all running jobs with one statement, three times per lease. A job that is lost or called off is stopped
 * at once; one whose row somebody holds is asked about again soon. Failures are the [Watch]'s business: handlers go on as long
 * as their lease is provably held.
 */
internal class LeaseKeeper(
    private val lease: Duration,
    private val store: LeaseStore,
    private val running: RunningJobs,
    private val clock: TimeSource.WithComparableMarks,
    private val ticker: Ticker,
) {
    private val interval = lease / 3
    private val hinted: MutableSet<UUID> = ConcurrentHashMap.newKeySet()
    private var nextRound: ComparableTimeMark = clock.markNow()

    suspend fun run(): Nothing = ticker.run(::runOnce)

    /** Renews everything when that is due, else only what hints are about. Answers how long to wait. */
    suspend fun runOnce(): Duration {
        val asked = hinted.toSet()
        val isRound = nextRound.hasPassedNow()
        val busy = renew { isRound || it.lease.jobId() in asked }
        hinted.removeAll(asked)
        hinted += busy
        if (isRound) nextRound = clock.markNow() + interval
        return if (busy.isEmpty()) -nextRound.elapsedNow() else minOf(-nextRound.elapsedNow(), interval / 10)
    }

    fun onHint(hint: Hint) {
        when (hint) {
            is Hint.Due, Hint.Ordered -> return
            is Hint.Canceled -> if (running.holds(hint.jobId)) hinted += hint.jobId else return
            Hint.Missed -> running.all.mapTo(hinted) { it.lease.jobId() }
        }
        ticker.wake()
    }

    /** Answers with the jobs that somebody holds. */
    private suspend fun renew(isWanted: (Attempt) -> Boolean): List<UUID> {
        val attempts = running.all.filter { it.isHeld && isWanted(it) }
        if (attempts.isEmpty()) {
            ticker.idle()
            return emptyList()
        }
        val sentAt = clock.markNow()
        val patience = attempts.maxOf { it.heldUntil } - sentAt
        val answers = withTimeoutOrNull(patience) { store.renew(attempts.map { it.lease }, lease.toJavaDuration()) }
            ?: throw UnavailableException(
                ErrorCode.LEASE_MAINTENANCE_FAILED,
                "The ledger did not answer a renewal while the leases were held: check the database and the network.",
            )
        attempts.zip(answers) { attempt, renewal -> learn(attempt, renewal.answer(), sentAt) }
        return answers.filter { it.answer() == Renewal.Answer.BUSY }.map { it.lease().jobId() }
    }

    private fun learn(attempt: Attempt, answer: Renewal.Answer, sentAt: ComparableTimeMark) {
        // While an ending is being written, not holding the lease any more is the expected answer.
        when (answer) {
            Renewal.Answer.RENEWED -> attempt.heldUntil = sentAt + lease

            Renewal.Answer.BUSY -> Unit

            Renewal.Answer.CANCELED -> if (!attempt.isEnding) attempt.cancellation.request(Cancellation.Reason.CANCELED)

            Renewal.Answer.LOST -> if (!attempt.isEnding && !attempt.isSettledByHandler) {
                attempt.cancellation.request(Cancellation.Reason.LEASE_LOST)
            }
        }
    }
}
