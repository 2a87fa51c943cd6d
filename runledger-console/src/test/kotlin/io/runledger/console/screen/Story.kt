package io.runledger.console.screen

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.test.TestLedger
import java.io.IOException
import java.time.Duration
import java.util.UUID

/** A ledger with a job in every state, as a small service leaves it. */
class Story(private val ledger: TestLedger) {
    private val jobs get() = ledger.client.jobs

    init {
        ledger.client.definitions.sync(listOf(MAIL, REPORT, VIDEO))
    }

    val sent = mail("""{"to": "ada@example.org", "password": "hunter2"}""") {
        idempotencyKey("welcome-ada").header("trace", "abc-123").header("authorization", "Bearer xyz").priority(7)
    }
    val retried = mail("""{"mode": "busy"}""")
    val dead = mail("""{"mode": "broken"}""") { maxAttempts(1) }
    val refused = List(3) { mail("""{"mode": "refused", "number": ${it + 17}}""") }
    val delayed = mail("""{"to": "bob@example.org"}""") { delay(Duration.ofHours(1)) }
    val unserved = jobs.enqueue(JobRequest.builder(REPORT, Json.of("""{"month": 10}""")).build()).id()
    val canceled = mail("""{"to": "cleo@example.org"}""") { delay(Duration.ofHours(2)) }.also {
        jobs.cancel(Scope.everything(), it, "Cleo has left.")
    }
    val theirs = mail("""{"to": "eve@example.org"}""") { organization(OTHERS).idempotencyKey("welcome-eve") }
    val ours = mail("""{"mode": "refused", "number": 99}""") { organization(OURS) }
    val run: UUID = ledger.client.workflows.enqueue(
        WorkflowRequest.builder("onboarding").apply {
            job("welcome") { it.runs(MAIL, Json.of("""{"to": "dora@example.org"}""")) }
        }.build(),
    ).runId()
    val running: UUID

    init {
        ledger.work(handlers)
        running = jobs.enqueue(JobRequest.builder(VIDEO, Json.of("""{"film": 1}""")).build()).id()
        val lease = WorkerLedger.of(ledger.client).leases
            .claim(ClaimRequest.of(listOf("video.encode"), "encoder-1", Duration.ofMinutes(5), 1)).single().lease()
        WorkerLedger.of(ledger.client).leases.report(ProgressReport.of(lease, Progress.of(3, 10)))
    }

    private fun mail(payload: String, settings: JobRequest.Builder.() -> Unit = {}): UUID =
        jobs.enqueue(JobRequest.builder(MAIL, Json.of(payload)).apply(settings).build()).id()

    companion object {
        val OURS: UUID = UUID.fromString("00000000-0000-4000-8000-000000000001")
        val OTHERS: UUID = UUID.fromString("00000000-0000-4000-8000-000000000002")
        val MAIL: JobType<Json> = JobType.builder<Json>("mail.send", Json::class.java).maxAttempts(3).build()
        val REPORT: JobType<Json> = JobType.json("report.build")
        val VIDEO: JobType<Json> = JobType.json("video.encode")

        val handlers: Handlers = handlers {
            on(MAIL) { job ->
                val payload = job.payload().text()
                when {
                    "busy" in payload -> JobOutcome.retryAfter(Duration.ofMinutes(10), "smtp.busy", "The server is busy.")

                    "broken" in payload ->
                        throw IllegalStateException("The template is missing", IOException("No such file: <b>welcome</b>.html"))

                    "refused" in payload -> JobOutcome.failed(
                        JobFailure.terminal("smtp.refused", "Recipient ${payload.filter { it.isDigit() }} was refused")
                            .withDetails(Json.of("""{"status": 550, "stack": "at Smtp.send\n\tat Mail.deliver"}""")),
                    )

                    else -> {
                        job.log(LogLevel.DEBUG, "Connecting")
                        job.log(LogLevel.WARN, "Slow server")
                        job.progress(1, 2)
                        job.saveCheckpoint(Json.of("""{"connected": true}"""))
                        Json.of("""{"id": "message-1"}""")
                    }
                }
            }
        }
    }
}
