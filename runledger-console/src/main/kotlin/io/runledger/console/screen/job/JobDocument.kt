package io.runledger.console.screen.job

import io.runledger.console.access.ConsoleRole
import io.runledger.console.page.headerList
import io.runledger.console.page.json
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Document
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.job.Job
import io.runledger.model.json.Json
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.section
import java.util.UUID

/** A JSON document of a job, with its address below the job. */
internal enum class JobDocument(val path: String, val title: String, val of: (JobView) -> Json?) {
    PAYLOAD("payload", "Payload", { it.job.payload() }),
    OUTPUT("output", "Output", { it.job.output() }),
    CHECKPOINT("checkpoint", "Checkpoint", { it.job.checkpoint() }),
    REQUEST("request", "Enqueue request", { it.job.enqueueRequest() }),
    ERROR("error-details", "Details of the last error", { it.failed?.errorDetails() }),
}

/** The whole documents of a job, for users who may act on it. They are redacted as on the page. */
internal class JobDocumentScreen : Screen {
    override fun register(routes: Routes) = JobDocument.entries.forEach { document ->
        routes.get("/jobs/{id}/${document.path}", ConsoleRole.OPERATOR) { visit -> whole(visit, document) }
    }

    private fun whole(visit: Visit, document: JobDocument): Answer {
        val json = document.of(JobView.of(visit, visit.id())) ?: throw NoSuchPageException(visit.request.path)
        return Document("application/json; charset=utf-8", visit.ledgers.json.whole(json))
    }
}

/** The address of the whole document, for users who may open it. */
internal fun wholeLink(visit: Visit, jobId: UUID, document: JobDocument): String? =
    visit.link("/jobs/$jobId/${document.path}").takeIf { visit.may(ConsoleRole.OPERATOR) }

/** What the job carries: payload, output, checkpoint, headers and the request that enqueued it. */
internal fun FlowContent.documents(visit: Visit, view: JobView) {
    listOf(JobDocument.PAYLOAD, JobDocument.OUTPUT, JobDocument.CHECKPOINT).forEach { document ->
        document.of(view)?.let { json -> document(visit, view.job, document, json) }
    }
    headers(visit, view.job)
    view.job.enqueueRequest()?.let { document(visit, view.job, JobDocument.REQUEST, it) }
}

private fun FlowContent.document(visit: Visit, job: Job, document: JobDocument, json: Json) = section {
    h2 { +document.title }
    json(visit, json, wholeLink(visit, job.id(), document))
}

private fun FlowContent.headers(visit: Visit, job: Job) {
    if (job.headers().isEmpty()) return
    section {
        h2 { +"Headers" }
        headerList(visit, job.headers())
    }
}
