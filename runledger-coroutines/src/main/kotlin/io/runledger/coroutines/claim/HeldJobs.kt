package io.runledger.coroutines.claim

import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.port.Hint
import java.util.PriorityQueue
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The jobs that the worker has claimed ahead and that wait for a slot: highest priority first, then in the order of the claims.
 * A type whose limit is reached does not delay the others. Jobs of a type that runs in batches share a slot, as many as
 * [batchSizes] allows. Jobs that cannot wait any longer are passed to [release].
 */
internal class HeldJobs(
    private val slots: Slots,
    private val clock: TimeSource.WithComparableMarks,
    private val batchSizes: Map<String, Int> = emptyMap(),
    private val release: (Attempt) -> Unit,
) {
    private class Held(val attempt: Attempt, val place: Long) : Comparable<Held> {
        private val priority = attempt.job.priority()

        override fun compareTo(other: Held): Int =
            if (priority == other.priority) place.compareTo(other.place) else other.priority.compareTo(priority)
    }

    private val queues = HashMap<String, PriorityQueue<Held>>()
    private var places = 0L
    private var isOpen = true

    /** Holds [attempts] until [next] returns them, or releases them at once while nothing is held. */
    fun add(attempts: List<Attempt>) {
        val isHeld = synchronized(this) {
            if (isOpen) hold(attempts)
            isOpen
        }
        if (!isHeld) attempts.forEach(release)
    }

    private fun hold(attempts: List<Attempt>) {
        val now = clock.markNow()
        attempts.forEach { attempt ->
            val type = attempt.job.jobType()
            attempt.heldSince = now
            queues.getOrPut(type) { PriorityQueue() } += Held(attempt, places++)
            slots.hold(type)
        }
    }

    /**
     * Takes the next job for which there is a slot, together with the slot, and the next jobs of its type that share the slot;
     * null if there is none.
     */
    @Synchronized
    fun next(): List<Attempt>? {
        if (slots.held == 0) return null
        val next = if (queues.size == 1) onlyFirst() else firstOfAll()
        val type = next?.attempt?.job?.jobType() ?: return null
        val queue = queues.getValue(type)
        val jobs = List(minOf(queue.size, batchSizes[type] ?: 1)) { queue.remove().attempt }
        slots.letGo(type, jobs.size)
        jobs.forEach { it.heldSince = null }
        return jobs
    }

    /** The first job, together with a slot, if all held jobs are of one type. */
    private fun onlyFirst(): Held? = queues.values.first().peek()?.takeIf { slots.takeFree(it.attempt.job.jobType()) }

    private fun firstOfAll(): Held? = queues.values.mapNotNull { it.peek() }.sorted()
        .firstOrNull { slots.takeFree(it.attempt.job.jobType()) }

    /** The worker stops or drains: releases all jobs, and holds none until [open]. */
    fun close() {
        synchronized(this) { isOpen = false }
        release { true }
    }

    @Synchronized
    fun open() {
        isOpen = true
    }

    /** Releases the jobs that have waited too long, for example because slow jobs of another type occupy the slots. */
    fun releaseLate() = release { attempt -> attempt.heldSince?.let { it.elapsedNow() >= LONGEST } == true }

    /** Releases the jobs of a type or run that was paused. */
    fun onHint(hint: Hint) = when (hint) {
        is Hint.PausedType -> release { it.job.jobType() == hint.jobType }
        is Hint.PausedRun -> release { it.job.step()?.runId() == hint.runId }
        is Hint.Due, is Hint.Canceled, Hint.FreedPermits, Hint.Ordered, Hint.Missed -> Unit
    }

    /** Releases the jobs that [isWanted] selects. */
    fun release(isWanted: (Attempt) -> Boolean) {
        val released = synchronized(this) {
            queues.flatMap { (type, queue) ->
                val wanted = queue.filter { isWanted(it.attempt) }
                queue.removeAll(wanted.toSet())
                slots.letGo(type, wanted.size)
                wanted.map { it.attempt }
            }
        }
        released.forEach(release)
    }

    companion object {
        /** The longest time that a job is held. */
        val LONGEST: Duration = 2.seconds
    }
}
