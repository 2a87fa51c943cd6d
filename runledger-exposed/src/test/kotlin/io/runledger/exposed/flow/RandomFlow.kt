package io.runledger.exposed.flow

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.about
import io.runledger.exposed.flow.RandomJob.Companion.defineAll
import io.runledger.exposed.leases
import io.runledger.model.failure.JobFailure
import io.runledger.model.flow.LimitValues
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.random.Random

/** Random actions on a ledger and on the model of it, one after another. */
internal class RandomFlow(
    private val ledger: TestLedger,
    private val workers: List<RunledgerClient>,
    private val random: Random,
) {
    private val model = FlowModel()
    private val client = ledger.client
    private val everything = Scope.everything()

    /** How many jobs were claimed. */
    var begun = 0
        private set

    init {
        ledger.defineAll()
        RandomJob.first.forEach(::put)
    }

    fun act() {
        when (random.nextInt(ACTIONS)) {
            in 0..3 -> enqueueOne()
            in 4..5 -> enqueueMany()
            in 6..7 -> enqueueJoined()
            in 8..16 -> claim()
            in 17..22 -> settle(some(model.leased().filterNot { it.isExpired }), ::verdict)
            23 -> cancel(some(model.jobs.values.filter { it.status != ModelJob.Status.ENDED }).take(2))
            24 -> expire(some(model.leased()).take(2))
            25 -> reap()
            26 -> requeue(some(model.jobs.values.filter { it.status == ModelJob.Status.DEAD || it.isRequeuable }))
            27 -> RandomJob.change(random).let { (limit, values) -> put(limit, values) }
            else -> age(listOf(Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofHours(2)).random(random))
        }
    }

    /** Works until every job has ended. */
    fun finish() {
        RandomJob.first.forEach(::put)
        var rounds = 0
        while (live().isNotEmpty()) {
            check(rounds++ < MOST_ROUNDS) { "After $rounds rounds these jobs have not ended: ${live().take(5)}." }
            reap()
            settle(model.leased().filterNot { it.isExpired }) { Verdict.Succeed(null) }
            requeue(model.jobs.values.filter { it.status == ModelJob.Status.DEAD })
            age(Duration.ofHours(2))
            claim(RandomJob.TYPES.keys.toList(), LARGE)
        }
    }

    private fun live() = model.jobs.values.filter { it.status != ModelJob.Status.ENDED }

    fun verify() = client.verify().contradictions().shouldBeEmpty()

    private fun enqueueOne() {
        val job = RandomJob(random)
        add(job, client.jobs.enqueue(job.request).id())
    }

    private fun enqueueMany() {
        val jobs = List(random.nextInt(2, 12)) { RandomJob(random) }
        val ids = client.jobs.enqueueAll(jobs.map { it.request }).map { it.id() }
        // The jobs of one call are committed together, and the ledger has chosen their order.
        val positions = ledger.rows("SELECT id, order_position FROM runledger.job_queue WHERE order_position IS NOT NULL")
            .associate { row -> row.split("|").let { (id, position) -> UUID.fromString(id) to position.toLong() } }
        ids.zip(jobs).sortedBy { (id) -> positions[id] ?: 0 }.forEach { (id, job) -> add(job, id) }
    }

    /** Transactions that insert in turns, and end in another order than they began. */
    private fun enqueueJoined() {
        val hosts = List(random.nextInt(2, 4)) { ledger.database.connect().apply { autoCommit = false } }
        val jobs = hosts.associateWith { mutableListOf<Pair<RandomJob, UUID>>() }
        try {
            repeat(random.nextInt(2, 8)) {
                val host = hosts.random(random)
                val job = RandomJob(random)
                jobs.getValue(host) += job to client.within(host).jobs.enqueue(job.request).id()
            }
            hosts.shuffled(random).forEach { host ->
                if (random.nextInt(5) == 0) {
                    host.rollback()
                } else {
                    host.commit()
                    jobs.getValue(host).forEach { (job, id) -> add(job, id) }
                }
            }
        } finally {
            hosts.forEach { it.close() }
        }
    }

    private fun add(job: RandomJob, id: UUID) {
        val due = ledger.instant("(SELECT next_run_at FROM runledger.job_queue WHERE id = '$id')")
        model.jobs[id] = job.of(id, due)
    }

    private fun claim() {
        val types = some(RandomJob.TYPES.keys.toList()).ifEmpty { RandomJob.TYPES.keys.toList() }
        claim(types, random.nextInt(1, 13))
    }

    /**
     * Claims until nothing is left, or a few times. As long as claims return jobs, a worker claims again. When one returns
     * none, no job that it asked for may be due and allowed to begin.
     */
    private fun claim(types: List<String>, limit: Int) {
        val worker = workers.random(random)
        val request = request(types, limit)
        do {
            val before = ledger.clock()
            val claimed = worker.leases.claim(request)
            begun += claimed.size
            explaining { model.begin(claimed) }
            val unasked = claimed.map { model.jobs.getValue(it.lease().jobId()) }.filterNot { request.asksFor(it) }
            withClue("claimed by $request") { unasked.shouldBeEmpty() }
            if (claimed.isEmpty()) {
                val idle = model.jobs.values.filter { request.asksFor(it) && model.obstacle(it, before) == null }
                withClue("left waiting by $request") { idle.shouldBeEmpty() }
            }
        } while (claimed.isNotEmpty() && (limit == LARGE || random.nextInt(3) > 0))
    }

    /** A failure also says what the ledger knows of the orders. */
    private fun explaining(work: () -> Unit) = try {
        work()
    } catch (failure: IllegalStateException) {
        val rows = ledger.rows(
            "SELECT order_key, order_position, id, job_type, status, run_number, attempt, is_delayed, priority " +
                "FROM runledger.job_queue WHERE order_key IS NOT NULL AND status NOT IN ('SUCCEEDED', 'CANCELED') ORDER BY order_key, order_position",
        )
        throw AssertionError("${failure.message}\n${rows.joinToString("\n")}", failure)
    }

    private fun request(types: List<String>, limit: Int): ClaimRequest {
        val origin = ClaimOrigin.entries.random(random)
        val request = ClaimRequest(types, "w${random.nextInt(3)}", LEASE, limit, origin)
        return when {
            limit == LARGE -> request
            random.nextInt(4) == 0 -> request.withTypeLimits(types.associateWith { random.nextInt(1, 4) })
            random.nextInt(4) == 0 -> request.withQueues(setOf(QUEUES.random(random)))
            else -> request
        }
    }

    private fun ClaimRequest.asksFor(job: ModelJob) =
        job.type in jobTypes() && (queues() == null || (job.queue ?: ClaimRequest.DEFAULT_QUEUE) in queues()!!)

    private fun settle(jobs: List<ModelJob>, choose: (ModelJob) -> Verdict) {
        val verdicts = jobs.associate { job -> job.claimed!!.let { it.lease() to choose(job).about(it) } }
        client.leases.settle(verdicts).forEach { settled ->
            val job = model.jobs.getValue(settled.lease().jobId())
            when (settled.result()) {
                SettledJob.Result.SUCCEEDED -> job.end(ModelJob.Status.ENDED)
                SettledJob.Result.CANCELED -> job.end(ModelJob.Status.ENDED)
                SettledJob.Result.DEAD_LETTERED -> job.end(ModelJob.Status.DEAD)
                SettledJob.Result.LOST, SettledJob.Result.BUSY, SettledJob.Result.REFUSED -> error("$settled")
                else -> job.wait(settled.nextRunAt()!!)
            }
        }
    }

    private fun verdict(job: ModelJob): Verdict {
        val broken = JobFailure.retryable("test.broken", "It broke.")
        val delay = if (random.nextInt(3) == 0) Duration.ofHours(1) else Duration.ZERO
        return when (random.nextInt(12)) {
            0 -> Verdict.Retry(broken, delay, null)
            1 -> Verdict.DeadLetter(broken, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)
            2 -> Verdict.Cancel("not needed: ${job.type}")
            3 -> Verdict.Continue(null, null, delay)
            4 -> Verdict.Snooze(delay)
            5 -> Verdict.Release("test")
            else -> Verdict.Succeed(null)
        }
    }

    private fun cancel(jobs: List<ModelJob>) {
        val results = client.jobs.cancelAll(everything, jobs.map { it.id }, "test").map { it.result() }
        jobs.zip(results).filter { (_, result) -> result == CanceledJob.Result.CANCELED }.forEach { (job) ->
            job.isRequeuable = job.status == ModelJob.Status.WAITING
            job.end(ModelJob.Status.ENDED)
        }
    }

    private fun expire(jobs: List<ModelJob>) = jobs.forEach {
        ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '${it.id}'")
        it.isExpired = true
    }

    private fun reap() = client.leases.reap(LARGE, Duration.ofMillis(1)).forEach { reaped ->
        val job = model.jobs.getValue(reaped.lease().jobId())
        check(job.isExpired) { "$job was reaped, but its lease goes on." }
        if (reaped.result() == ReapedJob.Result.DEAD_LETTERED) job.end(ModelJob.Status.DEAD) else job.wait(reaped.nextRunAt()!!)
    }

    private fun requeue(jobs: List<ModelJob>) = jobs.forEach {
        val before: Instant = ledger.clock()
        client.jobs.requeue(everything, it.id)
        it.wait(before)
        it.isRequeuable = false
    }

    private fun put(limit: String, values: LimitValues) {
        ledger.putLimit(limit, values, RandomJob.keyedBy(limit))
        model.limits[limit] = values
    }

    private fun age(time: Duration) {
        ledger.age(time)
        model.advance(time)
    }

    private fun <T> some(of: List<T>): List<T> = of.filter { random.nextBoolean() }

    private companion object {
        const val ACTIONS = 31
        const val LARGE = 1000
        val QUEUES = listOf("imports", "exports", ClaimRequest.DEFAULT_QUEUE)
        const val MOST_ROUNDS = 3000

        /** Leases run out when the test says so. */
        val LEASE: Duration = Duration.ofDays(3650)
    }
}
