package io.runledger.console.browser

import io.runledger.console.ConsoleBench
import io.runledger.console.run
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.failure.JobFailure
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import io.runledger.model.flow.LimitValues
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.util.UUID

/** The ledger of a small web shop at noon: most is done, something fails, a person is asked. For pictures and for the browser's tests. */
class Shop(private val bench: ConsoleBench) {
    private val client get() = bench.client

    /** A job with two failed attempts that waits for its third. */
    val retried: UUID

    /** A job that a worker runs. */
    val running: UUID

    /** A job with a limit, an order, a share and a queue that a worker runs. */
    val pushed: UUID

    /** Jobs that wait for a later day. */
    val delayed: List<UUID>

    /** An order that waits for an approval. */
    val order: UUID

    /** A run of 600 steps, half of which have ended. */
    val inventory: UUID

    init {
        client.definitions.sync(listOf(MAIL, INVOICE, VIDEO, CHARGE, PICK, SHIP, COUNT))
        client.jobs.enqueueAll(List(900) { n -> mail("""{"to": "customer-$n@example.org", "template": "receipt"}""") })
        client.jobs.enqueueAll(List(7) { n -> mail("""{"mode": "refused", "number": ${n + 17}}""") })
        client.jobs.enqueueAll(List(3) { mail("""{"mode": "broken"}""") { maxAttempts(1) } })
        retried =
            client.jobs.enqueue(
                mail("""{"mode": "busy", "to": "ada@example.org", "password": "hunter2"}""") {
                    header("trace", "4bf92f35")
                },
            ).id()
        delayed =
            client.jobs.enqueueAll(
                List(4) { n ->
                    mail("""{"to": "late-$n@example.org"}""") { delay(Duration.ofHours(5)) }
                },
            ).map { it.id() }
        client.jobs.enqueueAll(List(6) { n -> JobRequest.builder(INVOICE, Json.of("""{"month": $n}""")).build() })
        order = client.workflows.enqueue(order("A-1001")).runId()
        client.workflows.enqueue(order("A-1002"))
        inventory = client.workflows.enqueue(inventory()).runId()
        bench.ledger.work(handlers)
        bench.ledger.advance(Duration.ofMinutes(11))
        bench.ledger.work(handlers)
        spread()
        schedules()
        worker("worker-eu-1", 5, 12)
        worker("worker-eu-2", 8, 0)
        running =
            client.jobs.enqueue(JobRequest.builder(VIDEO, Json.of("""{"film": "unboxing.mp4", "format": "av1"}""")).build()).id()
        val lease = WorkerLedger.of(client).leases
            .claim(ClaimRequest.of(listOf(VIDEO.name()), "worker-eu-1", Duration.ofMinutes(30), 1)).single().lease()
        WorkerLedger.of(client).leases.report(ProgressReport.of(lease, Progress.of(37, 100)))
        pushed = push()
    }

    /** Changes of customers go to a service that allows 8 calls at once; an operator has allowed fewer. */
    private fun push(): UUID {
        client.definitions.declare(PUSH)
        client.jobs.enqueueAll(List(40) { n -> JobRequest.builder(PUSH, Json.of("""{"customer": "c-${n % 9}"}""")).build() })
        val claimed = WorkerLedger.of(client).leases
            .claim(ClaimRequest.of(listOf(PUSH.name()), "worker-eu-2", Duration.ofMinutes(30), 5))
        val operator = client.actingAs("dana")
        operator.limits.changePermits("crm-api", 6, "The service asks for fewer calls at once until Monday.")
        operator.queues.limit("crm", LimitValues.permits(20), "Leave room for the mails.")
        return claimed.first().lease().jobId()
    }

    private fun mail(payload: String, settings: JobRequest.Builder.() -> Unit = {}): JobRequest =
        JobRequest.builder(MAIL, Json.of(payload)).apply(settings).build()

    private fun order(number: String): WorkflowRequest {
        val order = WorkflowRequest.builder("orders.fulfil").idempotencyKey("fulfil/$number")
        val charged = order.job("charge", CHARGE, Json.of("""{"order": "$number", "cents": 4990}"""))
        val approved = order.externalGate("approval") { it.after(charged).expiresAfter(Duration.ofDays(3)) }
        val picked = List(3) { n -> order.job("pick-$n") { it.runs(PICK, Json.of("""{"item": $n}""")).after(approved) } }
        val shipped = order.job("ship") { it.runs(SHIP, Json.EMPTY_OBJECT).after(picked) }
        order.job("refund") { it.runs(CHARGE, Json.of("""{"order": "$number", "cents": -4990}""")).after(approved.onFailure()) }
        return order.result(shipped).build()
    }

    private fun inventory(): WorkflowRequest {
        val inventory = WorkflowRequest.builder("inventory.count").idempotencyKey("2026-11")
        val begun = inventory.job("open", COUNT, Json.of("""{"shelf": 0}"""))
        val halls = List(5) { hall ->
            val shelves = List(118) { shelf ->
                inventory.job("hall-$hall-shelf-$shelf") {
                    it.runs(COUNT, Json.of("""{"hall": $hall, "shelf": $shelf}""")).after(begun)
                }
            }
            inventory.job("hall-$hall") { it.runs(INVOICE, Json.of("""{"hall": $hall}""")).after(shelves) }
        }
        inventory.job("report") { it.runs(INVOICE, Json.EMPTY_OBJECT).after(halls) }
        return inventory.build()
    }

    /** As if the work had been done during the last hour. */
    private fun spread() = bench.run(
        "UPDATE runledger.job_attempts SET (leased_at, started_at, finished_at, execution_started_persisted_at) = ROW(" +
            listOf("leased_at", "started_at", "finished_at", "execution_started_persisted_at").joinToString {
                "$it - $AGE"
            } + ")",
    )

    private fun schedules() {
        save(ScheduleRequest.builder("invoices.monthly", INVOICE, Json.EMPTY_OBJECT).cron("0 6 1 * *").zone("Europe/Berlin"))
        save(
            ScheduleRequest.builder(
                "mail.reminders",
                MAIL,
                Json.of("""{"to": "team"}"""),
            ).cron("30 9 * * 1-5").zone("America/New_York"),
        )
        save(ScheduleRequest.builder("stock.sync", COUNT, Json.EMPTY_OBJECT).every(Duration.ofMinutes(15)))
    }

    private fun save(schedule: ScheduleRequest.Builder) = client.schedules.upsert(schedule.build())

    private fun worker(name: String, busy: Int, held: Int) {
        val card = WorkerCard(
            UuidV7.next(), name, setOf("eu"),
            listOf(MAIL, VIDEO, CHARGE, PICK, SHIP, COUNT).map {
                it.name()
            },
            8, "0.1.0", "shop 4.2", "pod-${name.last()}",
            4711, Duration.ofSeconds(30),
        )
        WorkerLedger.of(client).fleet.enter(card)
        WorkerLedger.of(client).fleet.beat(card.id(), WorkerState.WORKING, busy, held)
    }

    private companion object {
        /** Up to 58 minutes, by the job's id: all attempts of a job keep their order. */
        const val AGE = "abs(hashtext(job_id::text) % 3480) * interval '1 second'"

        fun type(name: String, attempts: Int = 4): JobType<Json> =
            JobType.builder<Json>(name, Json::class.java).maxAttempts(attempts).build()

        val MAIL = type("mail.send")
        val INVOICE = type("invoices.send")
        val VIDEO = type("video.encode")
        val CHARGE = type("orders.charge")
        val PICK = type("orders.pick")
        val SHIP = type("orders.ship")
        val COUNT = type("inventory.count")
        val PUSH: JobType<Json> = JobType.builder<Json>("crm.push", Json::class.java)
            .limit("crm-api") { it.permits(8).rate(100, Duration.ofSeconds(1)) }
            .limit("crm-customer") { limit -> limit.permits(1).by { customer(it) } }
            .orderedBy { customer(it) }
            .fairByOrganization()
            .queue("crm")
            .build()

        fun customer(payload: Json): String = payload.text().substringAfter(": \"").substringBefore('"')

        val handlers: Handlers = handlers {
            on(MAIL) { job ->
                val payload = job.payload().text()
                when {
                    "busy" in payload -> {
                        job.log(LogLevel.WARN, "The server asks to come back later")
                        JobOutcome.retryAfter(Duration.ofMinutes(10), "smtp.busy", "The server is busy.")
                    }

                    "broken" in payload -> throw IllegalStateException("The template “welcome” is missing")

                    "refused" in payload -> JobOutcome.failed(
                        JobFailure.terminal("smtp.refused", "Recipient ${payload.filter { it.isDigit() }} was refused"),
                    )

                    else -> Json.of("""{"id": "message-1"}""")
                }
            }
            on(CHARGE) { Json.of("""{"receipt": "R-7"}""") }
            on(PICK) { JobOutcome.succeeded() }
            on(SHIP) { JobOutcome.succeeded() }
            on(COUNT) { Json.of("""{"items": 12}""") }
        }
    }
}
