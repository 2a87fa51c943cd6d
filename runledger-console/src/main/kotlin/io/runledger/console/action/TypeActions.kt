package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.content.inWords
import io.runledger.console.form.Action
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.page.facts
import io.runledger.console.page.mono
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Visit
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.definition.JobDefinition
import kotlinx.html.FlowContent
import java.time.Duration

/** An action on one job type. All organizations share it. Its name is a parameter, because it may contain slashes. */
internal abstract class TypeAction(name: String, label: String, isDangerous: Boolean = false) :
    Action<JobDefinition>("/type/$name", label, Section.TYPES, ConsoleRole.ADMINISTRATOR, isDangerous) {
    override fun find(visit: Visit): JobDefinition =
        visit.ledgers.writes.definitions.get(visit.query["type"] ?: throw NoSuchPageException(visit.request.path))

    override fun address(subject: JobDefinition): String = "$path?type=${Visit.inQuery(subject.jobType())}"

    override fun home(subject: JobDefinition): String = "/types/${Visit.encoded(subject.jobType())}"

    override fun title(subject: JobDefinition): String = "$label: ${subject.jobType()}"

    override fun seen(subject: JobDefinition): String =
        "${if (subject.paused()) "paused" else "not paused"}, ${if (subject.enabled()) "enabled" else "disabled"}"

    override fun preview(content: FlowContent, visit: Visit, subject: JobDefinition) = content.facts {
        fact("Job type") { mono(subject.jobType()) }
        fact("State", seen(subject))
        fact("Priority", subject.effective().priority().toString())
        fact("Most attempts", subject.effective().maxAttempts().toString())
        fact("Timeout", subject.effective().timeout().inWords())
        fact("Changed by operators", subject.overrides().joinToString { it.inWords() }.ifEmpty { "nothing" })
    }
}

internal class PauseType : TypeAction("pause", "Pause the type") {
    override fun refusal(subject: JobDefinition): String? = "The type is paused already.".takeIf { subject.paused() }

    override fun consequence(subject: JobDefinition): String =
        "No job of this type starts, in any organization, until the type is resumed. New jobs are still accepted and wait. " +
            "Running jobs finish."

    override fun act(order: Order<JobDefinition>): String? {
        order.ledger.definitions.pause(order.subject.jobType(), order.reason)
        return null
    }
}

internal class ResumeType : TypeAction("resume", "Resume the type") {
    override fun refusal(subject: JobDefinition): String? = "The type is not paused.".takeIf { !subject.paused() }

    override fun consequence(subject: JobDefinition): String = "Workers start jobs of this type again, in all organizations."

    override fun act(order: Order<JobDefinition>): String? {
        order.ledger.definitions.resume(order.subject.jobType(), order.reason)
        return null
    }
}

internal class EnableType : TypeAction("enable", "Enable the type") {
    override fun refusal(subject: JobDefinition): String? = "The type is enabled already.".takeIf { subject.enabled() }

    override fun consequence(subject: JobDefinition): String = "New jobs of this type are accepted again, whatever code declares."

    override fun act(order: Order<JobDefinition>): String? {
        order.ledger.definitions.enable(order.subject.jobType(), order.reason)
        return null
    }
}

internal class DisableType : TypeAction("disable", "Disable the type", isDangerous = true) {
    override fun refusal(subject: JobDefinition): String? = "The type is disabled already.".takeIf { !subject.enabled() }

    override fun consequence(subject: JobDefinition): String =
        "Services that enqueue jobs of this type get an error, in all organizations, until the type is enabled. Queued jobs " +
            "still run."

    override fun act(order: Order<JobDefinition>): String? {
        order.ledger.definitions.disable(order.subject.jobType(), order.reason)
        return null
    }
}

internal class ResetType : TypeAction("reset", "Undo the changes of operators") {
    override fun refusal(subject: JobDefinition): String? =
        "Operators have not changed this type.".takeIf { subject.overrides().isEmpty() }

    override fun seen(subject: JobDefinition): String = subject.overrides().joinToString { it.inWords() }

    override fun consequence(subject: JobDefinition): String =
        "The settings return to those that code declares: ${seen(subject)}. A pause stays. Queued jobs keep the settings that " +
            "they have."

    override fun act(order: Order<JobDefinition>): String? {
        order.ledger.definitions.reset(order.subject.jobType(), order.reason)
        return null
    }
}

internal class ChangeType : TypeAction("change", "Change the settings") {
    override fun consequence(subject: JobDefinition): String =
        "New jobs of this type get the settings that you enter, in all organizations, whatever code declares. Queued jobs keep " +
            "theirs."

    override fun seen(subject: JobDefinition): String = subject.effective().run {
        "priority ${priority()}, ${maxAttempts()} attempts, timeout ${timeout().toSeconds()} s"
    }

    override fun fields(visit: Visit, subject: JobDefinition): List<Field> = subject.effective().run {
        listOf(
            priorityField(priority()),
            NumberField(ATTEMPTS, "Most attempts", maxAttempts().toString(), isRequired = true, min = 1, max = MOST_ATTEMPTS),
            NumberField(
                TIMEOUT,
                "Timeout in seconds",
                timeout().toSeconds().toString(),
                isRequired = true,
                min = 1,
                max = MOST_SECONDS,
            ),
        )
    }

    override fun act(order: Order<JobDefinition>): String? {
        val now = order.subject.effective()
        val change = DefinitionChange.builder()
        val priority = order.priority()
        val attempts = order.requiredNumber(ATTEMPTS, 1, MOST_ATTEMPTS).toInt()
        val timeout = Duration.ofSeconds(order.requiredNumber(TIMEOUT, 1, MOST_SECONDS))
        if (priority != now.priority()) change.priority(priority)
        if (attempts != now.maxAttempts()) change.maxAttempts(attempts)
        if (timeout != now.timeout()) change.timeout(timeout)
        val settings = change.build()
        if (settings == DefinitionChange.builder().build()) throw FieldProblem(PRIORITY, "Change at least one of the settings.")
        order.ledger.definitions.change(order.subject.jobType(), settings, order.reason)
        return null
    }

    private companion object {
        const val ATTEMPTS = "attempts"
        const val TIMEOUT = "timeout"
        const val MOST_ATTEMPTS = Int.MAX_VALUE.toLong()
        const val MOST_SECONDS = Int.MAX_VALUE.toLong()
    }
}
