package io.runledger.console.action

import io.runledger.console.form.ChoiceField
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.form.Review
import io.runledger.console.form.TextField
import io.runledger.console.page.FIRES
import io.runledger.console.page.Facts
import io.runledger.console.page.facts
import io.runledger.console.page.fireTimes
import io.runledger.console.page.ledgerText
import io.runledger.console.payload.JsonTrees
import io.runledger.console.payload.PayloadForm
import io.runledger.console.payload.jsonDiff
import io.runledger.console.visit.Visit
import io.runledger.exposed.Schedules
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.schedule.ScheduleRequest
import kotlinx.html.FlowContent
import kotlinx.html.h3
import kotlinx.html.p
import java.security.MessageDigest
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.HexFormat

/** Changes the rule and the payload of a schedule: the form first, then the new rule in words with its next fires. */
internal class EditSchedule : ScheduleAction("edit", "Edit the schedule") {
    override val hasReview: Boolean get() = true

    override fun refusal(subject: Schedule): String? =
        "The workers that register this trigger set its interval.".takeIf { subject.kind() == ScheduleKind.POLL }

    override fun consequence(subject: Schedule): String =
        "Changes 1 schedule. If its rule changes, its next fire is the first one after now. A service that declares the " +
            "schedule overwrites the change when it saves its declaration again, usually when it starts: change the code too."

    /** Not the next fire, and not the time of the last change, which both move with every fire. */
    override fun seen(subject: Schedule): String = subject.run {
        "${rhythm(cron(), interval(), timeZone())}, missed fires ${misfirePolicy().wire()} ${misfireLimit()}, overlap " +
            "${overlapPolicy().wire()}, version ${version()}, payload ${fingerprint(payloadTemplate())}"
    }

    override fun fields(visit: Visit, subject: Schedule): List<Field> = listOf(
        TextField(CRON, "Cron expression", subject.cron(), "Empty for a schedule with an interval."),
        NumberField(
            INTERVAL,
            "Interval in seconds",
            subject.interval()?.toSeconds()?.toString(),
            "Empty for a schedule with a cron expression. A new interval is counted from the change.",
            min = 1,
            max = MOST_SECONDS,
        ),
        TextField(ZONE, "Time zone of the cron expression", subject.timeZone(), isRequired = true),
        ChoiceField(MISFIRES, "Missed fires", misfires, subject.misfirePolicy().name),
        NumberField(
            LIMIT,
            "Most missed fires",
            subject.misfireLimit().toString(),
            "Counts only if each missed fire is made up for.",
            min = 1,
            max = MOST_MISFIRES,
        ),
        ChoiceField(OVERLAP, "While the previous one is live", overlaps, subject.overlapPolicy().name),
    ) + payloadForm(visit, subject)?.fields().orEmpty()

    override fun preview(content: FlowContent, visit: Visit, subject: Schedule) {
        super.preview(content, visit, subject)
        content.facts { fact("Rule", Schedules.describe(subject)) }
        payloadForm(visit, subject)?.let { content.asDocument(visit, it) }
    }

    override fun review(order: Order<Schedule>): Review {
        val edit = entered(order)
        val subject = order.subject
        val payload = newPayload(order)
        val fires = if (changesRhythm(edit)) {
            inFields { Schedules.preview(edit.rule(), Instant.now(), FIRES) }
        } else {
            order.visit.ledgers.writes.schedules.upcoming(order.scope, subject.name(), FIRES)
        }
        return Review(consequence(subject)) { show(order, edit, fires, payload) }
    }

    override fun act(order: Order<Schedule>): String? {
        order.ledger.schedules.edit(order.scope, entered(order), order.reason)
        return null
    }

    private fun FlowContent.show(order: Order<Schedule>, edit: ScheduleEdit, fires: List<Instant>, payload: Json?) {
        val subject = order.subject
        facts {
            changed("Rule", Schedules.describe(subject), words(edit))
            changed("Cron expression or interval", rhythm(subject), rhythm(edit))
            changed(
                "Missed fires",
                inWords(subject.misfirePolicy(), subject.misfireLimit()),
                inWords(edit.misfirePolicy(), edit.misfireLimit()),
            )
            changed(
                "While the previous one is live",
                overlaps.getValue(subject.overlapPolicy().name),
                overlaps.getValue(edit.overlapPolicy().name),
            )
        }
        h3 { +"Next fires" }
        if (!subject.active()) p("note") { +"The schedule is paused, and stays so: it fires at these times after it is resumed." }
        if (changesRhythm(edit) && !subject.maxJitter().isZero) p("note") { +"Each fire is delayed by its jitter." }
        fireTimes(fires, ZoneId.of(edit.timeZone()))
        if (payload != null) {
            h3 { +"Payload" }
            jsonDiff(order.visit, subject.payloadTemplate(), payload)
        }
    }

    private fun Facts.changed(name: String, before: String, after: String) = fact(name) {
        if (before == after) {
            ledgerText("$after, as before")
        } else {
            ledgerText(after)
            +" instead of "
            ledgerText(before)
        }
    }

    private fun words(edit: ScheduleEdit): String = edit.cron()?.let { Schedules.describe(it, ZoneId.of(edit.timeZone())) }
        ?: Schedules.describe(checkNotNull(edit.interval()))

    private fun rhythm(schedule: Schedule) = rhythm(schedule.cron(), schedule.interval(), schedule.timeZone())

    private fun rhythm(edit: ScheduleEdit) = rhythm(edit.cron(), edit.interval(), edit.timeZone())

    private fun rhythm(cron: String?, interval: Duration?, zone: String) =
        if (cron == null) "every ${interval?.toSeconds()} s" else "$cron ($zone)"

    private fun inWords(policy: MisfirePolicy, limit: Int): String {
        val most = if (policy == MisfirePolicy.ALL) ", at most $limit" else ""
        return misfires.getValue(policy.name) + most
    }

    private fun changesRhythm(edit: ScheduleEdit): Boolean = edit.basis().run {
        cron() != edit.cron() || interval() != edit.interval() || timeZone() != edit.timeZone()
    }

    private fun entered(order: Order<Schedule>): ScheduleEdit {
        val edit = ScheduleEdit.of(order.subject)
        val cron = order.text(CRON)
        val interval = order.number(INTERVAL, 1, MOST_SECONDS)
        when {
            cron != null && interval != null ->
                throw FieldProblem(INTERVAL, "Enter a cron expression or an interval, and leave the other one empty.")

            cron != null -> edit.cron(cron)

            interval != null -> edit.every(Duration.ofSeconds(interval))

            else -> throw FieldProblem(CRON, "Enter a cron expression or an interval.")
        }
        edit.zone(order.required(ZONE))
        when (choice(order, MISFIRES, misfires)) {
            MisfirePolicy.SKIP.name -> edit.skipMisfires()
            MisfirePolicy.ONE.name -> edit.fireOnceForMisfires()
            else -> edit.fireAllMisfires(order.requiredNumber(LIMIT, 1, MOST_MISFIRES).toInt())
        }
        edit.overlap(OverlapPolicy.valueOf(choice(order, OVERLAP, overlaps)))
        newPayload(order)?.let(edit::payload)
        return inFields { edit.build().also { words(it) } }.also(::requireChange)
    }

    /** Null if the payload is the same as before, or the schedule has none. */
    private fun newPayload(order: Order<Schedule>): Json? = payloadForm(order.visit, order.subject)?.read(order)
        ?.takeUnless { JsonTrees.areEqual(order.subject.payloadTemplate(), it) }

    private fun requireChange(edit: ScheduleEdit) {
        val basis = edit.basis()
        val isSame = !changesRhythm(edit) && edit.payload() == null && edit.overlapPolicy() == basis.overlapPolicy() &&
            inWords(edit.misfirePolicy(), edit.misfireLimit()) == inWords(basis.misfirePolicy(), basis.misfireLimit())
        if (isSame) throw FieldProblem(CRON, "Everything is as before: change at least one of the entries.")
    }

    private fun choice(order: Order<*>, field: String, choices: Map<String, String>): String =
        order.required(field).also { if (it !in choices) throw FieldProblem(field, "“$it” is not one of the choices.") }

    /** Says what is wrong beside the field that it concerns. */
    private fun <T> inFields(work: () -> T): T = try {
        work()
    } catch (invalid: InvalidRequestException) {
        val field = when (invalid.code()) {
            ErrorCode.INVALID_TIME_ZONE -> ZONE
            ErrorCode.INVALID_INTERVAL -> INTERVAL
            else -> CRON
        }
        throw FieldProblem(field, invalid.message.orEmpty().removeSuffix(" [${invalid.code().wire()}]"), invalid)
    }

    private fun payloadForm(visit: Visit, subject: Schedule): PayloadForm? =
        subject.jobType()?.let { PayloadForm(visit, it, subject.payloadTemplate()) }

    private fun fingerprint(payload: Json): String {
        val digest = MessageDigest.getInstance("SHA-256").digest(payload.text().toByteArray())
        return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES)
    }

    private companion object {
        const val CRON = "cron"
        const val INTERVAL = "interval"
        const val ZONE = "zone"
        const val MISFIRES = "misfires"
        const val LIMIT = "misfire-limit"
        const val OVERLAP = "overlap"
        const val MOST_SECONDS = Int.MAX_VALUE.toLong()
        const val MOST_MISFIRES = ScheduleRequest.MAX_MISFIRE_LIMIT.toLong()
        const val SHOWN_BYTES = 8
        val misfires = mapOf(
            MisfirePolicy.ONE.name to "fire once for all of them",
            MisfirePolicy.SKIP.name to "skip them",
            MisfirePolicy.ALL.name to "fire once for each",
        )
        val overlaps = mapOf(
            OverlapPolicy.ALLOW.name to "fire anyway",
            OverlapPolicy.SKIP.name to "skip the fire",
        )
    }
}
