package io.runledger.exposed.read

import io.runledger.exposed.sql.Binder
import io.runledger.model.state.WireText
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** Something a list is narrowed by, with the parameters it binds. */
internal class Filter(val sql: String, val bind: Binder.() -> Unit = {})

/** The statement with its `{filters}` filled in; bind each of them in the same order. */
internal fun String.narrowed(filters: List<Filter>): String = replace("{filters}", filters.joinToString("") { "AND ${it.sql} " })

/** Statuses stand as literals, so that the partial indexes of live states can be used. */
internal fun <S> statusFilter(alias: String, statuses: Set<S>): List<Filter> where S : Enum<S>, S : WireText =
    when (statuses.size) {
        0 -> emptyList()
        1 -> listOf(Filter("$alias.status = '${statuses.single().wire()}'"))
        else -> listOf(Filter("$alias.status IN (${statuses.sorted().joinToString { "'${it.wire()}'" }})"))
    }

internal fun namesFilter(column: String, names: Set<String>): List<Filter> = when (names.size) {
    0 -> emptyList()
    1 -> listOf(Filter("$column = ?") { text(names.single()) })
    else -> listOf(Filter("$column = ANY (?::text[])") { texts(names.sorted()) })
}

/** By the time of creation, and by id as far as it tells that time, so that no more is read than that. */
internal fun createdFilter(alias: String, since: Instant?, before: Instant?): List<Filter> = buildList {
    since?.coerceIn(EARLIEST, LATEST)?.let {
        add(Filter("$alias.created_at >= ?") { instant(it) })
        add(Filter("$alias.id >= ?") { uuid(firstIdOf(it - ID_CLOCK_SLACK)) })
    }
    before?.coerceIn(EARLIEST, LATEST)?.let {
        add(Filter("$alias.created_at < ?") { instant(it) })
        add(Filter("$alias.id < ?") { uuid(firstIdOf(it + ID_CLOCK_SLACK)) })
    }
}

internal fun cursorFilter(alias: String, cursor: String?): List<Filter> =
    listOfNotNull(cursor?.let(Cursor::read)?.let { last -> Filter("$alias.id < ?") { uuid(last) } })

/**
 * An id begins with the time at which its service made it. Its clock may differ from the database's, which decides; but not by
 * more than this, so that ids bound how far a list by time has to be read.
 */
private val ID_CLOCK_SLACK: Duration = Duration.ofDays(1)
private const val RANDOM_BITS = 16

// What the database and an id can say; nothing is older or younger.
private val EARLIEST: Instant = Instant.EPOCH
private val LATEST: Instant = Instant.parse("9999-12-31T23:59:59Z")

private fun firstIdOf(instant: Instant): UUID = UUID(instant.toEpochMilli().coerceAtLeast(0) shl RANDOM_BITS, 0)
