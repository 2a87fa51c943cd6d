package io.runledger.console.page

import io.runledger.console.visit.Visit
import io.runledger.model.ledger.Scope
import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.util.UUID

/** The conditions of a list, read from the address of the page. What cannot be read becomes a problem of its field. */
internal class ListFilters(private val visit: Visit) {
    private val found = LinkedHashMap<String, String>()

    /** Names of fields with what is wrong with their values. */
    val problems: Map<String, String> get() = found

    fun text(name: String): String? = visit.query[name]?.trim()

    /** One of [choices] by its name, or null if none is given. */
    fun <E : Enum<E>> choice(name: String, choices: Collection<E>): E? {
        val given = text(name) ?: return null
        return choices.firstOrNull { it.name == given } ?: problem(name, "There is no “$given”: choose one of the list.")
    }

    fun flag(name: String): Boolean? = when (val given = text(name)) {
        null -> null
        "true" -> true
        "false" -> false
        else -> problem(name, "“$given” is neither true nor false.")
    }

    /** A time in UTC, as a date, a date with a time, or an instant. */
    fun instant(name: String): Instant? {
        val given = text(name) ?: return null
        return readings.firstNotNullOfOrNull { read ->
            try {
                read(given)
            } catch (_: DateTimeException) {
                null
            }
        } ?: problem(name, "“$given” is not a time: write one such as 2026-11-19T09:30.")
    }

    fun id(name: String): UUID? {
        val given = text(name) ?: return null
        return try {
            UUID.fromString(given)
        } catch (_: IllegalArgumentException) {
            problem(name, "“$given” is not an id, which has the form 0190a1b2-….")
        }
    }

    /** The scope of the user, or a part of it: the address can name an organization if the user sees all of them. */
    fun scope(name: String): Scope = when {
        visit.scope.kind() != Scope.Kind.EVERYTHING || text(name) == null -> visit.scope
        text(name) == GLOBAL -> Scope.global()
        else -> id(name)?.let(Scope::organization) ?: visit.scope
    }

    /** Says that the value of [name] cannot be used. */
    fun problem(name: String, sentence: String): Nothing? {
        found.putIfAbsent(name, sentence)
        return null
    }

    companion object {
        /** Names the rows that belong to no organization. */
        const val GLOBAL = "global"

        private val readings: List<(String) -> Instant> = listOf(
            { Instant.parse(it) },
            { LocalDateTime.parse(it).toInstant(ZoneOffset.UTC) },
            { LocalDate.parse(it).atStartOfDay().toInstant(ZoneOffset.UTC) },
        )
    }
}
