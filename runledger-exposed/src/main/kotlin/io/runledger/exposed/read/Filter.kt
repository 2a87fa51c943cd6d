package io.runledger.exposed.read

import io.runledger.exposed.context.Cursor
import io.runledger.exposed.sql.Binder
import io.runledger.model.ledger.WireText
import java.time.Duration
import java.time.Instant
import java.util.UUID

/** A condition of a list, with the parameters that it binds. Each condition of a statement has parameter names of its own. */
internal class Filter(val sql: String, val bind: Binder.() -> Unit = {})

/** The statement with [filters] in place of `{filters}`. Bind each filter once. */
internal fun String.narrowed(filters: List<Filter>): String = replace("{filters}", filters.joinToString("") { "AND ${it.sql} " })

/** Statuses are literals, so that the partial indexes of live states can be used. */
internal fun <S> statusFilter(alias: String, statuses: Set<S>): List<Filter> where S : Enum<S>, S : WireText =
    when (statuses.size) {
        0 -> emptyList()
        1 -> listOf(Filter("$alias.status = '${statuses.single().wire()}'"))
        else -> listOf(Filter("$alias.status IN (${statuses.sorted().joinToString { "'${it.wire()}'" }})"))
    }

/** One status, as a range of an index that continues with status and id. As a constant it would not be part of the order. */
internal fun <S> statusRangeFilter(alias: String, status: S): Filter where S : Enum<S>, S : WireText = Filter(
    "($alias.status, $alias.id) >= ('${status.wire()}', '${UUID(0, 0)}') " +
        "AND ($alias.status, $alias.id) <= ('${status.wire()}', '${UUID(-1, -1)}')",
)

internal fun namesFilter(column: String, names: Set<String>): List<Filter> = when (names.size) {
    0 -> emptyList()
    1 -> listOf(Filter("$column = :name") { text("name", names.single()) })
    else -> listOf(Filter("$column = ANY (:names::text[])") { texts("names", names.sorted()) })
}

/** By the time of creation, and by the time in the id, so that the index on the id limits the rows to read. */
internal fun createdFilter(alias: String, since: Instant?, before: Instant?, column: String = "created_at"): List<Filter> =
    createdAtFilter(alias, since, before, column) + buildList {
        since?.let { add(Filter("$alias.id >= :first_id") { uuid("first_id", beginIdOf(it)) }) }
        before?.let { add(Filter("$alias.id < :end_id") { uuid("end_id", endIdOf(it)) }) }
    }

/** By the time of creation alone. */
internal fun createdAtFilter(alias: String, since: Instant?, before: Instant?, column: String = "created_at"): List<Filter> =
    buildList {
        since?.coerceIn(EARLIEST, LATEST)?.let {
            add(Filter("$alias.$column >= :created_since") { instant("created_since", it) })
        }
        before?.coerceIn(EARLIEST, LATEST)?.let {
            add(Filter("$alias.$column < :created_before") { instant("created_before", it) })
        }
    }

/** No row that was created at [since] or later has a smaller id. */
internal fun beginIdOf(since: Instant): UUID = firstIdOf(since.coerceIn(EARLIEST, LATEST) - ID_CLOCK_SLACK)

/** Rows that were created before [before] have smaller ids. */
internal fun endIdOf(before: Instant): UUID = firstIdOf(before.coerceIn(EARLIEST, LATEST) + ID_CLOCK_SLACK)

internal fun cursorFilter(alias: String, cursor: String?): List<Filter> =
    listOfNotNull(cursor?.let(Cursor::read)?.let { last -> Filter("$alias.id < :cursor_id") { uuid("cursor_id", last) } })

/**
 * An id begins with the time at which the service created it. The clock of the service may differ from that of the database,
 * which is authoritative, but by no more than this. The ids therefore limit how far a list by time has to be read.
 */
private val ID_CLOCK_SLACK: Duration = Duration.ofDays(1)
private const val RANDOM_BITS = 16

// The range that both the database and an id can represent.
private val EARLIEST: Instant = Instant.EPOCH
private val LATEST: Instant = Instant.parse("9999-12-31T23:59:59Z")

private fun firstIdOf(instant: Instant): UUID = UUID(instant.toEpochMilli().coerceAtLeast(0) shl RANDOM_BITS, 0)
