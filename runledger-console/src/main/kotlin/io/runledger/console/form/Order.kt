package io.runledger.console.form

import io.runledger.console.visit.Visit
import io.runledger.exposed.Ledger
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.time.Instant
import java.time.LocalDate
import java.time.format.DateTimeParseException
import java.util.UUID

/**
 * What an operator has asked for with a form: the action's subject, the reason, and the entries of the action's own fields. The
 * reason is empty if the action asks for none.
 */
internal class Order<T : Any>(val visit: Visit, val subject: T, val reason: String, val key: String) {
    val scope: Scope get() = visit.scope

    /** Changes rows in the name of the operator, once per key. */
    val ledger: Ledger get() = visit.acting(key)

    fun text(field: String): String? = visit.form[field]?.trim()

    fun required(field: String): String = text(field) ?: throw FieldProblem(field, "Enter a value.")

    fun isChecked(field: String): Boolean = visit.form[field] == CheckField.YES

    /** A whole number from [min] to [max], or null if the field is empty. */
    fun number(field: String, min: Long, max: Long): Long? {
        val text = text(field) ?: return null
        val number = text.toLongOrNull() ?: throw FieldProblem(field, "“$text” is not a whole number.")
        if (number !in min..max) throw FieldProblem(field, "$number is out of range: enter a number from $min to $max.")
        return number
    }

    fun requiredNumber(field: String, min: Long, max: Long): Long =
        number(field, min, max) ?: throw FieldProblem(field, "Enter a number.")

    fun instant(field: String): Instant = instantOf(field, required(field), text(MomentField.zoneOf(field)) ?: "UTC")

    fun date(field: String): LocalDate? = text(field)?.let { text ->
        try {
            LocalDate.parse(text)
        } catch (_: DateTimeParseException) {
            throw FieldProblem(field, "“$text” is not a date: enter one such as 2026-11-19.")
        }
    }

    fun uuid(field: String): UUID? = text(field)?.let { text ->
        try {
            UUID.fromString(text)
        } catch (_: IllegalArgumentException) {
            throw FieldProblem(field, "“$text” is not an id: enter one such as 0199f3c2-7a10-7c31-9d55-2f1d3a6b8c4e.")
        }
    }

    /** JSON that the ledger can store, or null if the field is empty. */
    fun json(field: String): Json? = visit.form[field]?.let { jsonOf(field, it) }

    companion object {
        fun jsonOf(field: String, text: String): Json = try {
            Json.of(text).requireStorable()
        } catch (refused: InvalidRequestException) {
            throw FieldProblem(field, refused.message.orEmpty(), refused)
        }
    }
}

/** An entry cannot be used. The form comes back with [sentence] beside the field [field]. */
internal class FieldProblem(val field: String, val sentence: String, cause: Exception? = null) : RuntimeException(sentence, cause)

/** The state of the subject does not allow the action, for the reason in [sentence]. Nothing was changed. */
internal class NotPossible(val sentence: String) : RuntimeException(sentence)
