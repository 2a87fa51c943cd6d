package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.form.TextField
import io.runledger.console.page.facts
import io.runledger.console.page.listing
import io.runledger.console.page.mono
import io.runledger.console.payload.PayloadForm
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.definition.JobDefinition
import io.runledger.model.job.JobRequest
import io.runledger.model.ledger.Scope
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import java.time.Duration

/** The types of which a new job can be enqueued. */
internal class NewJobScreen(private val enqueue: EnqueueJob) : Screen {
    override fun register(routes: Routes) {
        routes.page("/jobs/new", ConsoleRole.OPERATOR, ::types)
    }

    private fun types(visit: Visit): Page {
        val types = visit.snapshot("enabled types") { visit.reads.definitions.list().filter { it.enabled() } }
        return Page("Enqueue a job", Section.JOBS) {
            p { +"Choose the type of the new job. A workflow is started again on the page of an earlier run that has ended." }
            listing("Job types", types.take(MOST), "No job type accepts new jobs.") {
                column("Type") { type -> a(href = visit.link(enqueue.address(type))) { mono(type.jobType()) } }
                number("Priority") { +it.effective().priority().toString() }
                column("State") { +if (it.paused()) "paused: new jobs wait" else "enabled" }
            }
        }
    }

    private companion object {
        const val MOST = 500
    }
}

/** Enqueues a job of a type. */
internal class EnqueueJob : Action<JobDefinition>("/jobs/enqueue", "Enqueue the job", Section.JOBS) {
    override fun find(visit: Visit): JobDefinition =
        visit.ledgers.writes.definitions.get(visit.query["type"] ?: throw NoSuchPageException(visit.request.path))

    override fun address(subject: JobDefinition): String = "$path?type=${Visit.inQuery(subject.jobType())}"

    override fun home(subject: JobDefinition): String = "/jobs?type=${Visit.inQuery(subject.jobType())}"

    /** The ledger records who enqueued the job, but an enqueue has no reason. */
    override val isReasoned: Boolean get() = false

    override fun title(subject: JobDefinition): String = "Enqueue a job: ${subject.jobType()}"

    override fun refusal(subject: JobDefinition): String? =
        "The type is disabled: it accepts no new jobs.".takeIf { !subject.enabled() }

    override fun consequence(subject: JobDefinition): String = if (subject.paused()) {
        "Enqueues 1 job. The type is paused: the job waits until the type is resumed."
    } else {
        "Enqueues 1 job. It starts when a worker of its type has a free slot."
    }

    override fun preview(content: FlowContent, visit: Visit, subject: JobDefinition) {
        content.facts {
            fact("Job type") { mono(subject.jobType()) }
            fact("Timeout", subject.effective().timeout().inWords())
        }
        content.asDocument(visit, PayloadForm(visit, subject.jobType(), null))
    }

    override fun fields(visit: Visit, subject: JobDefinition): List<Field> =
        PayloadForm(visit, subject.jobType(), null).fields() +
            listOf(
                NumberField(DELAY, "Start after, in minutes", min = 0, max = MOST_MINUTES),
                NumberField(
                    PRIORITY,
                    "Priority",
                    hint = "${subject.effective().priority()} if it is empty. A larger number is started earlier.",
                    min = Int.MIN_VALUE.toLong(),
                    max = Int.MAX_VALUE.toLong(),
                ),
                NumberField(
                    ATTEMPTS,
                    "Most attempts",
                    hint = "${subject.effective().maxAttempts()} if it is empty.",
                    min = 1,
                    max = MOST_ATTEMPTS,
                ),
                TextField(
                    IDEMPOTENCY,
                    "Idempotency key",
                    hint = "If a job of this type has the key already, no other job is enqueued.",
                ),
            ) + organization(visit)

    override fun act(order: Order<JobDefinition>): String {
        val payload = PayloadForm(order.visit, order.subject.jobType(), null).read(order)
        val request = JobRequest.builder(order.subject.jobType(), payload)
        order.number(DELAY, 0, MOST_MINUTES)?.let { request.delay(Duration.ofMinutes(it)) }
        order.number(PRIORITY, Int.MIN_VALUE.toLong(), Int.MAX_VALUE.toLong())?.let { request.priority(it.toInt()) }
        order.number(ATTEMPTS, 1, MOST_ATTEMPTS)?.let { request.maxAttempts(it.toInt()) }
        order.text(IDEMPOTENCY)?.let { request.idempotencyKey(it) }
        val organization = order.scope.organizationId() ?: if (isForAll(order.visit)) order.uuid(ORGANIZATION) else null
        organization?.let { request.organization(it) }
        return "/jobs/${order.ledger.jobs.enqueue(request.build()).id()}"
    }

    private fun organization(visit: Visit): List<Field> =
        if (isForAll(visit)) listOf(TextField(ORGANIZATION, "Id of the organization", hint = GLOBAL_HINT)) else emptyList()

    private fun isForAll(visit: Visit) = visit.scope.kind() == Scope.Kind.EVERYTHING

    private companion object {
        const val DELAY = "delay"
        const val ATTEMPTS = "attempts"
        const val IDEMPOTENCY = "idempotency-key"
        const val ORGANIZATION = "organization"
        const val GLOBAL_HINT = "A global job if it is empty."
        const val MOST_MINUTES = 60L * 24 * 365 * 10
        const val MOST_ATTEMPTS = Int.MAX_VALUE.toLong()
    }
}
