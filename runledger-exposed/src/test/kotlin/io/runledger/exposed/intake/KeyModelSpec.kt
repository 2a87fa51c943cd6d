package io.runledger.exposed.intake

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.key.Debounce
import io.runledger.model.key.KeyRule
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Replacement
import io.runledger.model.key.Uniqueness
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration
import java.util.UUID
import kotlin.random.Random

/**
 * Random enqueues of all kinds by four threads, with claims, ends and cancellations between them, against a model. Each step draws
 * a number while its transaction still holds the key, so the numbers are the order in which the steps of a key took effect.
 * `-Drunledger.seed=…` repeats the choices of the threads.
 */
class KeyModelSpec :
    FunSpec({
        val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()

        test("every answer is that of the model (seed $seed)") {
            val ledger = freshLedger().define(*types)
            ledger.run("CREATE SEQUENCE steps")
            val first = types.flatMap { type -> keys.map { Cell(type, it) } }

            val steps = racing(THREADS) { thread ->
                val random = Random(seed + thread)
                List(STEPS) { KeySession(ledger, random).step(first.random(random)) }
            }.flatten().sortedBy { it.number }

            val models = first.associateWith { KeyModel() }
            steps.forEach { step ->
                withClue("step ${step.number} at ${step.cell}: ${step.what}") { models.getValue(step.cell).judge(step) }
            }
            val stored = ledger.rows("SELECT id, status, payload, priority FROM runledger.job_queue ORDER BY id")
            stored shouldBe models.values.flatMap { it.jobs.values }.sortedBy { it.id.toString() }.map { it.toString() }
            steps.mapNotNull { it.answer?.disposition() }.toSet() shouldBe
                setOf(Disposition.INSERTED, Disposition.EXISTING, Disposition.REPLACED)
            stored.count { "|PENDING|" !in it } shouldBeGreaterThan 20
            ledger.client.verify().contradictions().shouldBeEmpty()
            ledger.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") shouldBe "0"
        }
    })

private const val THREADS = 4
private const val STEPS = 250
private val types = arrayOf("a", "b")
private val keys = listOf("x", "y")

private data class Cell(val type: String, val key: String)

/** What a step did to the job that holds the key, or how an enqueue was answered. */
private class Step(
    val number: Long,
    val cell: Cell,
    val what: String,
    val request: JobRequest? = null,
    val answer: EnqueuedJob? = null,
    val touched: UUID? = null,
    val payload: Int = 0,
)

/** Performs random steps, each in a transaction that ends after its number is drawn. */
private class KeySession(private val ledger: TestLedger, private val random: Random) {
    fun step(cell: Cell): Step = ledger.dataSource.connection.use { connection ->
        connection.autoCommit = false
        val step = if (random.nextInt(3) == 0) disturb(connection, cell) else enqueue(connection, cell)
        connection.commit()
        step
    }

    private fun enqueue(connection: Connection, cell: Cell): Step {
        val rule = rule(cell.key)
        val payload = random.nextInt(1_000)
        val builder = JobRequest.builder(cell.type, payload).priority(random.nextInt(100))
        when (rule) {
            is Uniqueness -> builder.unique(rule)
            is Debounce -> builder.debounce(rule.key(), rule.pause(), rule.atMost())
            is Replacement -> builder.replacePending(rule.key(), *rule.parts().toTypedArray())
        }
        val request = builder.build()
        val answer = ledger.client.within(connection).jobs.enqueue(request)
        return Step(number(connection), cell, rule.toString(), request, answer, payload = payload)
    }

    private fun rule(key: String): KeyRule = when (random.nextInt(6)) {
        0 -> Uniqueness.whilePending(key)

        1 -> Uniqueness.whileUnfinished(key)

        2 -> Uniqueness.within(key, Duration.ofDays(1))

        3 -> Uniqueness.whilePending(key).orWithin(Duration.ofDays(1))

        4 -> Debounce(key, Duration.ofDays(1), Duration.ofDays(2))

        else -> Replacement(
            key,
            ReplacedPart.entries.filter {
                random.nextBoolean()
            }.toSet().ifEmpty { setOf(ReplacedPart.TIME) },
        )
    }

    /** Changes the job that holds the key, or closes its window, while no other session has the key. */
    private fun disturb(connection: Connection, cell: Cell): Step {
        val holder = connection.one(
            "SELECT job_id FROM runledger.job_keys WHERE job_type = '${cell.type}' AND key = '${cell.key}' FOR UPDATE",
        )?.let(UUID::fromString) ?: return Step(number(connection), cell, "nothing")
        val status = connection.one("SELECT status FROM runledger.job_queue WHERE id = '$holder'")
        val joined = ledger.client.within(connection)
        val what = when (random.nextInt(4)) {
            // Long ago, because another session's transaction may have begun before this one.
            0 -> "close".also {
                connection.run("UPDATE runledger.job_keys SET ends_at = now() - interval '1 hour' WHERE job_id = '$holder'")
            }

            1 -> if (status in setOf("PENDING", "LEASED")) {
                joined.jobs.cancel(Scope.everything(), holder)
                "cancel"
            } else {
                "nothing"
            }

            else -> if (status == "PENDING") claim(connection, holder, random.nextBoolean()) else "nothing"
        }
        return Step(number(connection), cell, what, touched = holder)
    }

    private fun claim(connection: Connection, job: UUID, succeeds: Boolean): String {
        connection.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$job'")
        val joined = ledger.client.within(connection)
        val type = checkNotNull(connection.one("SELECT job_type FROM runledger.job_queue WHERE id = '$job'"))
        val lease = checkNotNull(joined.leases.claimNew(job, ClaimRequest.of(listOf(type), "w", Duration.ofDays(1), 1))).lease()
        if (!succeeds) return "claim"
        joined.leases.settle(mapOf(lease to Verdict.Succeed(null)))
        return "succeed"
    }

    private fun number(connection: Connection): Long = checkNotNull(connection.one("SELECT nextval('steps')")).toLong()

    private fun Connection.one(sql: String): String? = createStatement().use { statement ->
        statement.executeQuery(sql).use { if (it.next()) it.getString(1) else null }
    }

    private fun Connection.run(sql: String) = createStatement().use { it.execute(sql) }
}

private class ModelJob(val id: UUID, var payload: Int, var priority: Int) {
    var status = JobStatus.PENDING

    override fun toString() = "$id|$status|$payload|$priority"
}

/** What one key must do, one step after the other. */
private class KeyModel {
    val jobs = LinkedHashMap<UUID, ModelJob>()
    private var holder: ModelJob? = null
    private var isWindowOpen = false

    fun judge(step: Step) {
        val request = step.request
        if (request == null) disturb(step) else enqueue(step, request, checkNotNull(step.answer))
    }

    private fun disturb(step: Step) {
        if (step.what == "nothing") return
        val job = checkNotNull(holder)
        step.touched shouldBe job.id
        when (step.what) {
            "close" -> isWindowOpen = false
            "cancel" -> job.status = JobStatus.CANCELED
            "claim" -> job.status = JobStatus.LEASED
            else -> job.status = JobStatus.SUCCEEDED
        }
    }

    private fun enqueue(step: Step, request: JobRequest, answer: EnqueuedJob) {
        val rule = checkNotNull(request.keyRule())
        val found = holder
        val expected = if (found == null) Disposition.INSERTED else against(found, rule)
        answer.disposition() shouldBe expected
        when (expected) {
            Disposition.INSERTED -> {
                val job = ModelJob(answer.id(), step.payload, checkNotNull(request.settings().priority()))
                check(jobs.put(job.id, job) == null) { "The job was inserted before." }
                holder = job
                isWindowOpen = isWindowOpen || (rule as? Uniqueness)?.window() != null
            }

            Disposition.REPLACED -> change(checkNotNull(found), rule, step.payload, request)

            else -> Unit
        }
        answer.id() shouldBe checkNotNull(holder).id
        answer.status() shouldBe checkNotNull(holder).status
    }

    private fun against(found: ModelJob, rule: KeyRule): Disposition = when (rule) {
        is Uniqueness -> {
            val isInTheWay = when (rule.span()) {
                Uniqueness.Span.PENDING -> found.status == JobStatus.PENDING
                Uniqueness.Span.UNFINISHED -> !found.status.isTerminal
                Uniqueness.Span.NONE -> false
            }
            if (isInTheWay || (rule.window() != null && isWindowOpen)) Disposition.EXISTING else Disposition.INSERTED
        }

        else -> if (found.status == JobStatus.PENDING) Disposition.REPLACED else Disposition.INSERTED
    }

    private fun change(job: ModelJob, rule: KeyRule, payload: Int, request: JobRequest) {
        val parts = (rule as? Replacement)?.parts() ?: setOf(ReplacedPart.PAYLOAD)
        if (ReplacedPart.PAYLOAD in parts) job.payload = payload
        if (ReplacedPart.PRIORITY in parts) job.priority = checkNotNull(request.settings().priority())
    }
}
