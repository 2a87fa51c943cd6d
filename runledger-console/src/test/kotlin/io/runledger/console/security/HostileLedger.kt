package io.runledger.console.security

import io.runledger.coroutines.Handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.test.TestLedger
import java.time.Duration
import java.util.UUID

/** Text that changes a page if it is not escaped. It is allowed as a name, a key and a message. */
const val HOSTILE = "\"'/><script>alert('x')</script><img src=x onerror=alert(1)>&amp;..;?#%2F+~"

/** Stands in rows of the owner where nothing else could cause it. */
const val MARKER = "owner-7391"

/** Stands in names of the owner that an address contains. The answer may repeat the address. */
const val NAMED = "named-7391"

/** A key of a limit and of an order. */
private const val HOSTILE_KEY = "$MARKER key $HOSTILE"

/** A ledger in which one organization has rows of each kind, with [HOSTILE] text in them. */
class HostileLedger(private val ledger: TestLedger) {
    val owner: UUID = UUID.randomUUID()
    val stranger: UUID = UUID.randomUUID()
    val scope: Scope = Scope.organization(owner)

    /** Types and workers belong to all organizations. */
    val type: JobType<Map<*, *>> = JobType.of("shared $HOSTILE", Map::class.java)
    val limit = "shared-limit"
    val queue = "shared-queue"
    private val limited: JobType<Map<*, *>> = JobType.builder<Map<*, *>>("limited $HOSTILE", Map::class.java)
        .limit(limit) { it.permits(1).rate(100, Duration.ofSeconds(1)).by { HOSTILE_KEY } }
        .limit("per-organization") { it.permits(2).byOrganization() }
        .orderedBy { HOSTILE_KEY }
        .fairByOrganization()
        .queue(queue)
        .build()
    val worker: UUID = UuidV7.next()
    val schedule = "$NAMED schedule $HOSTILE"
    val gate = "$NAMED gate $HOSTILE"
    val step = "$NAMED step $HOSTILE"
    private val payload = mapOf("$MARKER name $HOSTILE" to "$MARKER value $HOSTILE", "password" to "$MARKER password")
    private val client: RunledgerClient get() = ledger.client

    private val handlers = Handlers.builder().blocking(type) { job ->
        job.progress(1, 2)
        job.log(LogLevel.ERROR, "$MARKER log $HOSTILE")
        if (job.headers()["fails"] == null) {
            JobOutcome.succeeded(payload)
        } else {
            JobOutcome.failed("owner.failed", "$MARKER failure $HOSTILE")
        }
    }.build()

    val deadJob: UUID
    val run: UUID
    val action: UUID
    val order: UUID

    init {
        client.definitions.sync(handlers.jobTypes)
        deadJob = enqueue("dead") { header("fails", "yes").header("note", "$MARKER header") }
        enqueue("succeeded") {}
        run = client.workflows.enqueue(workflow()).runId()
        client.schedules.upsert(
            ScheduleRequest.builder(schedule, type, payload).organization(owner).cron("0 3 * * *").build(),
        )
        ledger.work(handlers)
        val pending = enqueue("pending") {}
        client.actingAs("$MARKER actor $HOSTILE").jobs.cancel(scope, pending, "$MARKER reason $HOSTILE")
        action = client.audit.list(scope).items().first().id()
        enqueue("waiting") {}
        limits()
        val card = WorkerCard(
            worker, "shared worker $HOSTILE", setOf("shared $HOSTILE"), listOf(type.name()), 8, HOSTILE, HOSTILE, HOSTILE, 4711,
            Duration.ofDays(1),
        )
        WorkerLedger.of(client).fleet.enter(card)
        order = client.workers.drain(WorkerSelection.all(), "shared reason $HOSTILE").order().id()
    }

    /** One line for each table that changes if a row of the table does. */
    fun fingerprint(): List<String> = ledger.database.connect().use { connection ->
        val tables = connection.metaData.getTables(null, "runledger", "%", arrayOf("TABLE")).use { rows ->
            buildList { while (rows.next()) add(rows.getString("TABLE_NAME")) }
        }
        tables.map { table ->
            val sql = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM runledger.\"$table\" t"
            connection.createStatement().executeQuery(sql).use { rows ->
                rows.next()
                "$table ${rows.getString(1)}"
            }
        }
    }

    private fun enqueue(name: String, settings: JobRequest.Builder.() -> Unit): UUID = client.jobs.enqueue(
        JobRequest.builder(type, payload).organization(owner).idempotencyKey("$MARKER $name $HOSTILE").apply(settings).build(),
    ).id()

    /** A running and a waiting job of a hostile key, and changes with a hostile reason. */
    private fun limits() {
        client.definitions.declare(limited)
        repeat(2) { client.jobs.enqueue(JobRequest.builder(limited, payload).organization(owner).build()) }
        val claim = ClaimRequest.of(listOf(limited.name()), "shared worker $HOSTILE", Duration.ofDays(1), 1)
        WorkerLedger.of(client).leases.claim(claim)
        val operator = client.actingAs("shared operator $HOSTILE")
        operator.limits.changePermits(limit, 0, "shared reason $HOSTILE")
        operator.queues.pause(queue, "shared reason $HOSTILE")
    }

    private fun workflow(): WorkflowRequest {
        val workflow = WorkflowRequest.builder("$MARKER workflow $HOSTILE").organization(owner).metadata(payload)
        val first = workflow.job(step, type, payload)
        workflow.externalGate(gate) { it.after(first) }
        return workflow.build()
    }
}
