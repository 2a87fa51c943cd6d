package io.runledger.console.action

import io.runledger.console.content.inWords
import io.runledger.console.http.Parameters
import io.runledger.console.visit.Visit
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.format.DateTimeParseException
import java.util.UUID

/** Conditions on jobs as the parameters of an address: those of the list of jobs that an action on many jobs understands. */
internal data class SelectionQuery(
    val types: List<String> = emptyList(),
    val statuses: List<JobStatus> = emptyList(),
    val code: String? = null,
    /** The message of the last failure; empty for jobs without one, null for any. */
    val message: String? = null,
    val olderThan: Duration? = null,
    /** The id of an organization, or [GLOBAL] for jobs without one; null for all jobs that the user sees. */
    val organization: String? = null,
) {
    /** The jobs of the user's [scope] that the conditions allow. */
    fun within(scope: Scope): Scope {
        val wanted = when (organization) {
            null -> return scope
            GLOBAL -> Scope.global()
            else -> Scope.organization(idOf(organization))
        }
        if (wanted == scope || scope.kind() == Scope.Kind.EVERYTHING) return wanted
        throw refused("You see the jobs of one scope: remove the organization.")
    }

    fun selection(): JobSelection {
        var selection = JobSelection.any()
        if (types.isNotEmpty()) selection = JobSelection(types, emptySet(), null, null, null, null)
        if (statuses.isNotEmpty()) selection = selection.inStatus(*statuses.toTypedArray())
        code?.let { selection = selection.failedWith(it) }
        message?.let { selection = selection.failedWithMessage(it) }
        olderThan?.let { selection = selection.olderThan(it) }
        return selection
    }

    /** The address [path] with these conditions. */
    fun address(path: String): String {
        val parameters = types.map { TYPE to it } + statuses.map { STATUS to it.name } + listOfNotNull(
            code?.let { CODE to it },
            message?.let { if (it.isEmpty()) NO_MESSAGE to "yes" else MESSAGE to it },
            olderThan?.let { OLDER to it.toString() },
            organization?.let { ORGANIZATION to it },
        )
        if (parameters.isEmpty()) return path
        return parameters.joinToString("&", "$path?") { (name, value) -> "$name=${Visit.inQuery(value)}" }
    }

    /** `Jobs of the type mail.send that are pending`. */
    fun inWords(): String = buildString {
        append("Jobs")
        if (types.isNotEmpty()) append(" of the type ").append(types.joinToString(" or "))
        if (statuses.isNotEmpty()) append(" that are ").append(statuses.joinToString(" or ") { it.inWords() })
        code?.let { append(", whose last error has the code ").append(it) }
        message?.let { append(if (it.isEmpty()) ", whose last error has no message" else ", whose last error says “$it”") }
        olderThan?.let { append(", enqueued more than ").append(it.inWords()).append(" ago") }
        organization?.let { append(if (it == GLOBAL) ", without an organization" else ", of the organization $it") }
        if (this@SelectionQuery == SelectionQuery()) append(": all of them, without a condition")
    }

    companion object {
        private const val TYPE = "type"
        private const val STATUS = "status"
        private const val CODE = "code"
        private const val MESSAGE = "message"
        private const val NO_MESSAGE = "no-message"
        private const val OLDER = "older"
        private const val ORGANIZATION = "organization"

        /** The organization of jobs without one. */
        const val GLOBAL = "global"
        private val KNOWN = setOf(TYPE, STATUS, CODE, MESSAGE, NO_MESSAGE, OLDER, ORGANIZATION)

        /** Parameters that do not change which jobs a list shows. */
        val OTHERS = setOf("after", "done", "undo")

        /**
         * Reads the conditions from the address of a list. A condition that an action on many jobs does not understand is
         * refused: without it, the action would change more jobs than the list shows.
         */
        fun of(query: Parameters): SelectionQuery {
            query.names.firstOrNull { it !in KNOWN && it !in OTHERS && query[it] != null }?.let {
                throw refused("The condition “$it” of the list cannot be used for a change of many jobs. Remove it.")
            }
            return SelectionQuery(
                query.all(TYPE),
                query.all(STATUS).map(::statusOf),
                query[CODE],
                if (query[NO_MESSAGE] != null) "" else query[MESSAGE],
                query[OLDER]?.let(::durationOf),
                query[ORGANIZATION],
            )
        }

        private fun statusOf(text: String): JobStatus = JobStatus.entries.firstOrNull { it.name == text.trim().uppercase() }
            ?: throw refused("“$text” is not a status of jobs.")

        private fun durationOf(text: String): Duration = try {
            Duration.parse(text)
        } catch (_: DateTimeParseException) {
            throw refused("“$text” is not a duration: use one such as PT1H.")
        }

        private fun idOf(text: String): UUID = try {
            UUID.fromString(text)
        } catch (_: IllegalArgumentException) {
            throw refused("“$text” is not the id of an organization.")
        }

        private fun refused(sentence: String) = InvalidRequestException(ErrorCode.INVALID_ARGUMENT, sentence)
    }
}
