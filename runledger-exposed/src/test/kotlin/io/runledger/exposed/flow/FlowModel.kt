package io.runledger.exposed.flow

import io.runledger.model.flow.LimitValues
import io.runledger.model.lease.ClaimedJob
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.UUID

/** A job as the model knows it. */
internal class ModelJob(
    val id: UUID,
    val type: String,
    val queue: String?,
    val limitKeys: List<String>,
    val orderKey: String?,
    val holds: Boolean,
    var dueAt: Instant,
) {
    enum class Status { WAITING, LEASED, DEAD, ENDED }

    var status = Status.WAITING

    /** The lease, while it has one. */
    var claimed: ClaimedJob? = null

    /** Its lease has run out, and the reaper has not seen it yet. */
    var isExpired = false

    /** It was canceled before or after an attempt, not while a handler could run. */
    var isRequeuable = false

    /** Whether the jobs behind it in its order wait for it. */
    val isInTheWay: Boolean get() = status == Status.WAITING || status == Status.LEASED || (status == Status.DEAD && holds)

    fun wait(until: Instant) {
        status = Status.WAITING
        dueAt = until
        claimed = null
        isExpired = false
    }

    fun end(status: Status) {
        this.status = status
        claimed = null
        isExpired = false
    }

    override fun toString() = "$type $id (limits $limitKeys, order $orderKey)"
}

/** Knows which jobs may begin: the rules of limits, rates and orders, without a database. */
internal class FlowModel {
    /** In the order of the commits of their enqueues. */
    val jobs = LinkedHashMap<UUID, ModelJob>()
    val limits = HashMap<String, LimitValues>()
    private val spentUntil = HashMap<String, Instant>()

    fun leased(): List<ModelJob> = jobs.values.filter { it.status == ModelJob.Status.LEASED }

    /** Notes the jobs of a claim. Fails if one of them was not allowed to begin. */
    fun begin(claimed: List<ClaimedJob>) = claimed.sortedBy { it.leasedAt() }.forEach { lease ->
        val id = lease.lease().jobId()
        val job = checkNotNull(jobs[id]) { "Job $id was claimed before its enqueue was committed." }
        val obstacle = obstacle(job, lease.leasedAt())
        check(obstacle == null) { "$job was claimed at ${lease.leasedAt()}, but $obstacle." }
        job.status = ModelJob.Status.LEASED
        job.claimed = lease
        job.limitKeys.forEach { spend(it, lease.leasedAt()) }
    }

    /** Why the job may not begin at this instant; null if it may. */
    fun obstacle(job: ModelJob, at: Instant): String? {
        if (job.status != ModelJob.Status.WAITING) return "it is ${job.status}"
        if (job.dueAt > at) return "it is due at ${job.dueAt}"
        return job.limitKeys.firstNotNullOfOrNull { exhausted(it, at) } ?: job.orderKey?.let { before(job) }
    }

    fun advance(time: Duration) {
        jobs.values.forEach { it.dueAt -= time }
        spentUntil.replaceAll { _, instant -> instant - time }
    }

    private fun exhausted(key: String, at: Instant): String? {
        val limit = limits[nameOf(key)] ?: return null
        val used = leased().count { key in it.limitKeys }
        if (limit.permits().let { it != null && used >= it }) return "$used jobs have the ${limit.permits()} permits of $key"
        val rate = limit.rate() ?: return null
        val spent = spentUntil[key] ?: return null
        // The bucket holds a burst and the job itself.
        val latest = at + step(rate.period(), rate.count()).multipliedBy(rate.burst().toLong())
        return "the rate of $key is spent until $spent".takeIf { spent > latest }
    }

    private fun before(job: ModelJob): String? {
        val order = jobs.values.filter { it.orderKey == job.orderKey && it !== job }
        order.firstOrNull { it.status == ModelJob.Status.LEASED }?.let { return "$it is leased" }
        val earlier = jobs.values.takeWhile { it !== job }
        return earlier.firstOrNull { it.orderKey == job.orderKey && it.isInTheWay }?.let { "$it is before it and ${it.status}" }
    }

    private fun spend(key: String, at: Instant) {
        val rate = limits[nameOf(key)]?.rate() ?: return
        spentUntil[key] = maxOf(spentUntil[key] ?: Instant.MIN, at) + step(rate.period(), rate.count())
    }

    /** The time that a job takes of a rate, rounded up to a microsecond. */
    private fun step(period: Duration, count: Int): Duration =
        Duration.of((period.toNanos() / NANOS_PER_MICRO + count - 1) / count, ChronoUnit.MICROS)

    private fun nameOf(key: String) = if (key.startsWith("queue:")) key else key.substringBefore(':')

    private companion object {
        const val NANOS_PER_MICRO = 1_000
    }
}
