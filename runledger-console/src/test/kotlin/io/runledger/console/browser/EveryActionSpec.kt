package io.runledger.console.browser

import com.microsoft.playwright.Locator
import com.microsoft.playwright.Page
import com.microsoft.playwright.assertions.LocatorAssertions
import com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat
import com.microsoft.playwright.options.AriaRole
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.console.access.ConsoleRole
import io.runledger.console.action.ActionBench
import io.runledger.console.action.Actions
import io.runledger.console.screen.flow.push
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * Each action as an operator takes it: from the page of its subject through the form to the result, which is in the ledger
 * and in the audit. Once on a wide screen, and once dark and narrow, where the forms are also checked for accessibility.
 */
class EveryActionSpec :
    FunSpec({
        val chromium by lazy { autoClose(Chromium()) }

        listOf("on a wide screen" to false, "on a narrow dark screen" to true).forEach { (screen, isNarrow) ->
            test(
                "every action goes from its page to the ledger and the audit, $screen",
            ).config(enabledOrReasonIf = Chromium.isThere) {
                val bench = autoClose(ActionBench())
                bench.bench.viewer("dana", ConsoleRole.ADMINISTRATOR)
                val width = if (isNarrow) 320 else 1280
                chromium.window(bench.bench, "dana", width = width, isDark = isNarrow).use { window ->
                    val operator = BrowsingOperator(window.newPage(), bench, isNarrow)

                    operator.changesJobs()
                    operator.changesSelections()
                    operator.changesRuns()
                    operator.changesSchedules()
                    operator.changesTypes()
                    operator.changesFleet()
                    operator.changesFlow()

                    operator.problems.shouldBeEmpty()
                    // A new action is missing here until the spec takes it too.
                    operator.taken shouldBe Actions.all.map { it.label }.toSet()
                }
            }
        }
    })

private val everything = Scope.everything()

/** An operator named dana, who finds everything by its label. */
private class BrowsingOperator(private val page: Page, private val bench: ActionBench, private val isNarrow: Boolean) {
    /** The labels of the forms that were sent. */
    val taken = HashSet<String>()

    /** What a browser or a user would object to. */
    val problems = ArrayList<String>()
    private val client get() = bench.client
    private var number = 0

    init {
        page.onConsoleMessage { problems += "${page.url()} says ${it.type()}: ${it.text()}" }
        page.onPageError { problems += "${page.url()} fails: $it" }
    }

    fun changesJobs() {
        val waiting = bench.waiting(delay = Duration.ofHours(3))
        val (dead, canceled, succeeded) = Triple(bench.deadLetter(), bench.canceled(), bench.succeeded())

        act("jobs/$waiting", "Cancel the job", OperatorActionKind.JOB_CANCEL)
        bench.job(waiting).status() shouldBe JobStatus.CANCELED
        page.locator(".flash").link("Undo").click()
        send("Undo the action", OperatorActionKind.UNDO)
        bench.job(waiting).status() shouldBe JobStatus.PENDING

        act("jobs/$waiting", "Change the priority", OperatorActionKind.JOB_REPRIORITIZE, "priority" to "7")
        bench.job(waiting).priority() shouldBe 7
        val noon = arrayOf("at" to "2031-07-01T12:00", "at-zone" to "Europe/Berlin")
        act("jobs/$waiting", "Reschedule the job", OperatorActionKind.JOB_RESCHEDULE, *noon)
        bench.job(waiting).nextRunAt() shouldBe Instant.parse("2031-07-01T10:00:00Z")
        act("jobs/$waiting", "Run the job now", OperatorActionKind.JOB_RUN_NOW)
        bench.job(waiting).nextRunAt().isBefore(Instant.parse("2031-01-01T00:00:00Z")) shouldBe true
        edit("jobs/$waiting", OperatorActionKind.JOB_EDIT)
        bench.job(waiting).payload().text().filterNot { it.isWhitespace() } shouldBe """{"to":"bob"}"""

        act("jobs/$dead", "Requeue the job", OperatorActionKind.JOB_REQUEUE)
        bench.job(dead).run { status() to runNumber() } shouldBe (JobStatus.PENDING to 2)
        act("jobs/$canceled", "Restart the job", OperatorActionKind.JOB_RESTART)
        bench.job(canceled).run { status() to runNumber() } shouldBe (JobStatus.PENDING to 2)
        act("jobs/$succeeded", "Replay the job", OperatorActionKind.JOB_REPLAY)
        val copy = UUID.fromString(page.url().substringAfter("/jobs/").substringBefore('?'))
        bench.job(copy).jobType() shouldBe "mail.send"
        (copy == succeeded) shouldBe false

        page.navigate("jobs")
        listOf("Enqueue a job", "mail.send").forEach { page.locator("main").link(it).click() }
        send("Enqueue the job", OperatorActionKind.JOB_ENQUEUE, "payload" to """{"to": "cleo"}""", "priority" to "3")
        val enqueued = UUID.fromString(page.url().substringAfter("/jobs/").substringBefore('?'))
        bench.job(enqueued).run { priority() to status() } shouldBe (3 to JobStatus.PENDING)
    }

    fun changesSelections() {
        val waiting = List(3) { bench.waiting(delay = Duration.ofHours(3)) }
        val list = "jobs?type=mail.send&status=PENDING"
        fun change(label: String, kind: OperatorActionKind, vararg fields: Pair<String, String>) {
            page.navigate(list)
            listOf("Change these jobs", label).forEach { page.locator("main").link(it).click() }
            send(label, kind, *fields, isLong = true)
        }

        change("Change the priority of these jobs", OperatorActionKind.JOB_REPRIORITIZE, "priority" to "9")
        waiting.map { bench.job(it).priority() }.toSet() shouldBe setOf(9)
        change("Reschedule these jobs", OperatorActionKind.JOB_RESCHEDULE, "at" to "2031-07-01T12:00")
        waiting.map { bench.job(it).nextRunAt() }.toSet() shouldBe setOf(Instant.parse("2031-07-01T12:00:00Z"))
        change("Run these jobs now", OperatorActionKind.JOB_RUN_NOW)
        waiting.forEach { bench.job(it).nextRunAt().isBefore(Instant.parse("2031-01-01T00:00:00Z")) shouldBe true }
        change("Cancel these jobs", OperatorActionKind.JOB_CANCEL)
        waiting.map { bench.job(it).status() }.toSet() shouldBe setOf(JobStatus.CANCELED)

        val first = List(2) { bench.deadLetter() }
        page.navigate("jobs?status=DEAD_LETTERED")
        listOf("Change these jobs", "Requeue these dead letters").forEach { page.locator("main").link(it).click() }
        send("Requeue these dead letters", OperatorActionKind.JOB_RESTART, "keep" to "restart", isLong = true)
        first.map { bench.job(it).status() }.toSet() shouldBe setOf(JobStatus.PENDING)
        bench.giveUp()
        page.navigate("dead-letters")
        page.locator("main").link("Requeue them").first().click()
        send("Requeue these dead letters", OperatorActionKind.JOB_REQUEUE, isLong = true)
        first.map { bench.job(it).status() }.toSet() shouldBe setOf(JobStatus.PENDING)
    }

    fun changesRuns() {
        val run = started()
        edit("runs/$run/steps/mail", OperatorActionKind.WORKFLOW_EDIT_STEP)
        client.workflows.getStep(everything, run, "mail").payload().text().filterNot { it.isWhitespace() } shouldBe
            """{"to":"bob"}"""
        act("runs/$run", "Pause the run", OperatorActionKind.WORKFLOW_PAUSE)
        client.workflows.get(everything, run).isPaused shouldBe true
        act("runs/$run", "Resume the run", OperatorActionKind.WORKFLOW_RESUME)
        client.workflows.get(everything, run).isPaused shouldBe false
        val rejected = arrayOf("code" to "fraud", "message" to "Looks like fraud.")
        act("runs/$run/steps/approval", "Fail the gate", OperatorActionKind.GATE_FAIL, *rejected)
        client.workflows.getStep(everything, run, "approval").lastErrorCode() shouldBe "fraud"
        bench.bench.ledger.work(handlers { on(ActionBench.mail) { } })
        act("runs/$run", "Retry the failed steps", OperatorActionKind.WORKFLOW_RETRY_FAILED)
        client.workflows.getStep(everything, run, "approval").status() shouldBe WorkflowStepStatus.WAITING_FOR_EXTERNAL
        page.navigate("gates")
        page.locator("main").link("Complete the gate").first().click()
        send("Complete the gate", OperatorActionKind.GATE_COMPLETE, "output" to """{"by": "dana"}""")
        client.workflows.getStep(everything, run, "approval").run { status() to output()?.text() } shouldBe
            (WorkflowStepStatus.SUCCEEDED to """{"by": "dana"}""")

        val other = started()
        act("runs/$other", "Cancel the run", OperatorActionKind.WORKFLOW_CANCEL)
        client.workflows.get(everything, other).status() shouldBe WorkflowRunStatus.CANCELED
        act("runs/$other", "Start it again as a new run", OperatorActionKind.WORKFLOW_RECOVER)
        val again = UUID.fromString(page.url().substringAfter("/runs/").substringBefore('?'))
        client.workflows.lineage(everything, again).recoveredFrom()?.sourceRunId() shouldBe other
    }

    fun changesSchedules() {
        client.schedules.upsert(ScheduleRequest.builder(SCHEDULE, "mail.send", Json.of("{}")).cron("0 0 3 * * *").build())
        val place = "schedules/nightly"
        fun schedule() = client.schedules.get(everything, SCHEDULE)

        act(place, "Fire the schedule now", OperatorActionKind.SCHEDULE_FIRE)
        client.schedules.fires(everything, SCHEDULE).items().count { it.jobId() != null } shouldBe 1
        val range = arrayOf(
            "from" to "2026-01-01T00:00",
            "from-zone" to "UTC",
            "until" to "2026-01-03T00:00",
            "until-zone" to "UTC",
        )
        act(place, "Backfill the schedule", OperatorActionKind.SCHEDULE_BACKFILL, *range, isLong = true, shows = "Creates 2 jobs")
        client.schedules.fires(everything, SCHEDULE).items().count { it.cause() == FireCause.BACKFILL } shouldBe 2
        act(place, "Edit the schedule", OperatorActionKind.SCHEDULE_EDIT, "cron" to "0 0 5 * * *", shows = "at 05:00 every day")
        schedule().cron() shouldBe "0 0 5 * * *"
        act(place, "Pause the schedule", OperatorActionKind.SCHEDULE_PAUSE)
        schedule().active() shouldBe false
        act(place, "Resume the schedule", OperatorActionKind.SCHEDULE_RESUME)
        schedule().active() shouldBe true
        act(place, "Move the next fire", OperatorActionKind.SCHEDULE_RETIME, "at" to "2031-01-01T04:00", "at-zone" to "UTC")
        schedule().nextFireAt() shouldBe Instant.parse("2031-01-01T04:00:00Z")
        act(place, "Delete the schedule", OperatorActionKind.SCHEDULE_DELETE)
        client.schedules.find(everything, SCHEDULE) shouldBe null
    }

    fun changesTypes() {
        val place = "types/mail.send"
        fun type() = client.definitions.get("mail.send")

        act(place, "Pause the type", OperatorActionKind.DEFINITION_PAUSE)
        type().paused() shouldBe true
        act(place, "Resume the type", OperatorActionKind.DEFINITION_RESUME)
        type().paused() shouldBe false
        val settings = arrayOf("priority" to "5", "attempts" to "9", "timeout" to "60")
        act(place, "Change the settings", OperatorActionKind.DEFINITION_CHANGE, *settings)
        type().effective().run { Triple(priority(), maxAttempts(), timeout()) } shouldBe Triple(5, 9, Duration.ofMinutes(1))
        act(place, "Undo the changes of operators", OperatorActionKind.DEFINITION_RESET)
        type().overrides().shouldBeEmpty()
        act(place, "Disable the type", OperatorActionKind.DEFINITION_DISABLE)
        type().enabled() shouldBe false
        act(place, "Enable the type", OperatorActionKind.DEFINITION_ENABLE)
        type().enabled() shouldBe true
    }

    fun changesFleet() {
        val card = WorkerCard(
            UuidV7.next(), "worker-1", setOf("blue"), listOf("mail.send"), 8, "0.1.0", null, "pod-1", 1, Duration.ofMinutes(5),
        )
        WorkerLedger.of(client).fleet.enter(card)

        act("workers", "Drain workers", OperatorActionKind.WORKER_DRAIN, "minutes" to "30")
        client.workers.standingOrders().map { it.label() } shouldBe listOf(null)
        act("workers", "Lift the order", OperatorActionKind.WORKER_RESUME)
        client.workers.standingOrders().shouldBeEmpty()
        act("workers", "Drain workers", OperatorActionKind.WORKER_DRAIN)
        act("workers", "Lift all orders", OperatorActionKind.WORKER_RESUME)
        client.workers.standingOrders().shouldBeEmpty()
        act("workers", "Stop workers", OperatorActionKind.WORKER_STOP)
        client.workers.orders().items().first().kind().name shouldBe "STOP"
    }

    fun changesFlow() {
        client.definitions.declare(push)
        val (first, second) = List(2) { client.jobs.enqueue(JobRequest.builder(push, "ada").maxAttempts(1).build()).id() }
        bench.bench.ledger.work(handlers { on(push) { error("The service refuses it.") } })
        act("jobs/$first", "Release its order", OperatorActionKind.JOB_RELEASE_ORDER)
        bench.bench.ledger.work(handlers { on(push) { } })
        bench.job(second).status() shouldBe JobStatus.SUCCEEDED

        fun inForce() = client.limits.get("crm-api").inForce()
        val slower = arrayOf("permits" to "2", "count" to "10", "period" to "60", "burst" to "0")
        act("limits/crm-api", "Change the limit", OperatorActionKind.LIMIT_CHANGE, *slower, review = "8 at once" to "2 at once")
        inForce() shouldBe LimitValues(2, Rate.of(10, Duration.ofMinutes(1)).withBurst(0))
        act("limits/crm-api", "Reset to the declared values", OperatorActionKind.LIMIT_RESET)
        inForce().permits() shouldBe 8

        act(
            "queues/crm",
            "Limit the queue",
            OperatorActionKind.LIMIT_CHANGE,
            "permits" to "3",
            review =
            "not limited" to "3 at once",
        )
        act("queues/crm", "Pause the queue", OperatorActionKind.QUEUE_PAUSE)
        client.queues.get("crm").run { paused() to values() } shouldBe (true to LimitValues.permits(3))
        act("queues/crm", "Resume the queue", OperatorActionKind.QUEUE_RESUME)
        client.queues.get("crm").paused() shouldBe false
    }

    private fun started(): UUID {
        val workflow = WorkflowRequest.builder("order")
        val approval = workflow.externalGate("approval") {}
        workflow.job("mail", ActionBench.mail, Json.of("""{"to": "ada"}"""))
        workflow.job("after") { it.runs(ActionBench.mail, Json.EMPTY_OBJECT).after(approval) }
        return client.workflows.enqueue(workflow.build()).runId()
    }

    /** Goes from the page [from] to the form behind the link [label], and sends it. */
    private fun act(
        from: String,
        label: String,
        kind: OperatorActionKind,
        vararg fields: Pair<String, String>,
        isLong: Boolean = false,
        review: Pair<String, String>? = null,
        shows: String? = null,
    ) {
        page.navigate(from)
        page.locator("main").link(label).first().click()
        send(label, kind, *fields, isLong = isLong, review = review, shows = shows)
    }

    private fun edit(from: String, kind: OperatorActionKind) {
        page.navigate(from)
        page.locator("main").link("Edit the payload").first().click()
        send("Edit the payload", kind, "payload" to """{"to": "bob"}""", review = "ada" to "bob")
    }

    /** Fills in the form that is shown, sends it, and finds what it did in the audit. */
    private fun send(
        label: String,
        kind: OperatorActionKind,
        vararg fields: Pair<String, String>,
        isLong: Boolean = false,
        review: Pair<String, String>? = null,
        shows: String? = null,
    ) {
        val reason = "because ${++number}"
        assertThat(page.locator("main .consequence")).isVisible(SHOWN)
        look(isForm = true)
        fields.forEach { (name, value) -> page.locator("main form [name=$name]").enter(value) }
        val asks = page.locator("main form [name=reason]").count() == 1
        if (asks) page.locator("main form [name=reason]").fill(reason)
        review?.let { (old, new) ->
            page.locator("main form").button("Show the change").click()
            assertThat(page.locator("main del").first()).containsText(old, CONTAINED)
            assertThat(page.locator("main ins").first()).containsText(new, CONTAINED)
            look(isForm = true)
        }
        shows?.let { change ->
            page.locator("main form").button("Show the change").click()
            assertThat(page.locator("main")).containsText(change, CONTAINED)
            look(isForm = true)
        }
        page.locator("main form").button(label).click()
        taken += label

        if (isLong || kind == OperatorActionKind.UNDO) {
            assertThat(page.locator("main h1")).containsText("dana", CONTAINED)
        } else {
            assertThat(page.locator(".flash")).containsText("Done", CONTAINED)
            look()
            page.locator(".flash").link("See what was changed").click()
        }
        assertThat(page.locator("main")).containsText(if (asks) reason else "none was given", CONTAINED)
        val recorded = bench.audit().first()
        withClue(label) { recorded.facts() shouldBe listOf(kind, "dana", reason.takeIf { asks }, true) }
        look()
        // Behind a long action lies the page with the change, which the browser does not send a second time.
        if (!isLong || shows == null) page.goBack()
    }

    private fun OperatorAction.facts() = listOf(kind(), actor(), reason(), changed() > 0)

    /** A select is chosen from, everything else is typed into. */
    private fun Locator.enter(value: String) {
        if (evaluate("e => e.tagName") == "SELECT") selectOption(value) else fill(value)
    }

    private fun look(isForm: Boolean = false) {
        page.tooWide().let { if (it.isNotEmpty()) problems += "${page.url()} is too wide: $it" }
        if (isNarrow && isForm) page.accessibilityProblems().let { if (it.isNotEmpty()) problems += "${page.url()}: $it" }
    }

    private fun Locator.link(label: String) = getByRole(AriaRole.LINK, Locator.GetByRoleOptions().setName(label).setExact(true))

    private fun Locator.button(label: String) =
        getByRole(AriaRole.BUTTON, Locator.GetByRoleOptions().setName(label).setExact(true)).first()

    private companion object {
        const val SCHEDULE = "nightly"
        const val PATIENCE = 60_000.0
        val SHOWN: LocatorAssertions.IsVisibleOptions = LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE)
        val CONTAINED: LocatorAssertions.ContainsTextOptions = LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE)
    }
}
