package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.state.WireText
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.ResultSet
import java.sql.Types
import java.time.Duration
import java.time.Instant
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.format.DateTimeFormatterBuilder
import java.time.format.SignStyle
import java.time.temporal.ChronoField
import java.time.temporal.ChronoUnit
import java.util.Locale
import java.util.UUID

/** Sets a statement's parameters one after the other, each with its SQL type; lists go in as arrays. */
internal class Binder(private val connection: Connection, private val statement: PreparedStatement) {
    private var position = 0

    fun text(value: String?) = statement.setString(++position, value)

    fun int(value: Int?) = statement.setObject(++position, value, Types.INTEGER)

    fun long(value: Long?) = statement.setObject(++position, value, Types.BIGINT)

    fun bool(value: Boolean?) = statement.setObject(++position, value, Types.BOOLEAN)

    fun uuid(value: UUID?) = statement.setObject(++position, value, Types.OTHER)

    fun instant(value: Instant?) = statement.setObject(++position, value?.toOffset(), Types.TIMESTAMP_WITH_TIMEZONE)

    /** For a parameter the statement casts to jsonb. */
    fun json(value: Json?) = text(value?.text())

    fun texts(values: List<String?>) = array("text", values.toTypedArray())

    fun ints(values: List<Int?>) = array("int4", values.toTypedArray())

    fun longs(values: List<Long?>) = array("int8", values.toTypedArray())

    fun bools(values: List<Boolean?>) = array("bool", values.toTypedArray())

    fun uuids(values: List<UUID?>) = array("uuid", values.toTypedArray())

    fun uuidsOrNull(values: List<UUID>?) = if (values == null) statement.setNull(++position, Types.ARRAY) else uuids(values)

    fun instants(values: List<Instant?>) = array(
        "timestamptz",
        values.map {
            it?.toOffset()?.let(literal::format)
        }.toTypedArray(),
    )

    fun wires(values: List<WireText?>) = texts(values.map { it?.wire() })

    /** For a parameter whose elements the statement casts to jsonb. */
    fun jsons(values: List<Json?>) = texts(values.map { it?.text() })

    private fun array(type: String, values: Array<*>) = statement.setArray(++position, connection.createArrayOf(type, values))

    private fun Instant.toOffset(): OffsetDateTime = requireStorable().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC)

    private companion object {
        /** As PostgreSQL reads it: ISO would give years past 9999 a sign and those before the first a minus. */
        val literal: DateTimeFormatter = DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 6, SignStyle.NEVER)
            .appendPattern("-MM-dd HH:mm:ss.SSSSSSXXX ")
            // Not the pattern's own letter: newer JDKs write CE and BCE for it, which PostgreSQL does not know.
            .appendText(ChronoField.ERA, mapOf(0L to "BC", 1L to "AD"))
            .toFormatter(Locale.ROOT)
    }
}

/**
 * What [value] tells of each, for one of the arrays of an `unnest`; nothing at all where it tells nothing of any, which is
 * cheaper to send and to read: a shorter array is filled up with nulls. At least one of the arrays must be whole.
 */
internal inline fun <R, T : Any> List<R>.sparse(value: (R) -> T?): List<T?> = map(value).let { values ->
    if (values.any { it != null }) values else emptyList()
}

/** Runs a statement that answers with rows, an `UPDATE … RETURNING` too. */
internal fun <T> Connection.rows(sql: String, bind: Binder.() -> Unit = {}, read: ResultSet.() -> T): List<T> =
    prepareStatement(sql).use { statement ->
        Binder(this, statement).bind()
        statement.executeQuery().all(read)
    }

/**
 * The same by a plan that the server makes once for a connection and keeps, for a statement that takes longer to plan than to
 * run. A plan made while a table is empty must do when it is full, so none is allowed that reads a table from end to end, or by
 * a bitmap, which has to sort what it found. The settings go to the server with the statement and end with its transaction; until
 * then all statements are planned so. With an [idleLimit] the server ends the transaction, and the connection, when the next
 * statement or the commit does not come in that time: what it holds is free again, although the process was frozen or cut off.
 */
internal fun <T> Connection.rowsByKeptPlan(
    sql: String,
    bind: Binder.() -> Unit = {},
    idleLimit: Duration? = null,
    read: ResultSet.() -> T,
): List<T> = prepareStatement("$KEEP_PLAN${idleLimit?.let(::endingWhenIdle).orEmpty()};\n$sql").use { statement ->
    Binder(this, statement).bind()
    statement.execute()
    check(statement.moreResults) { "The answer to the settings came and the one to the statement did not." }
    statement.resultSet.all(read)
}

internal const val KEEP_PLAN =
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
        "set_config('enable_bitmapscan', 'off', true)"

/** The server's longest wait is a little less than 25 days. */
private fun endingWhenIdle(limit: Duration) =
    ", set_config('idle_in_transaction_session_timeout', '${limit.toMillis().coerceAtMost(Int.MAX_VALUE.toLong())}', true)"

private fun <T> ResultSet.all(read: ResultSet.() -> T): List<T> = use { buildList { while (next()) add(reading(read)) } }

/** Reads a row. One that somebody damaged, so that a value is missing or makes no sense, is refused and says so. */
private inline fun <T> ResultSet.reading(read: ResultSet.() -> T): T = try {
    read()
} catch (refused: RunledgerException) {
    throw refused
} catch (damaged: RuntimeException) {
    throw InternalException(
        ErrorCode.DB_QUERY_FAILED,
        "The ledger holds a row that cannot be read: it was changed by hand, or by a newer version of the library.",
        "$damaged",
        damaged,
    )
}

/** Runs a statement that answers with at most one row. */
internal fun <T> Connection.row(sql: String, bind: Binder.() -> Unit = {}, read: ResultSet.() -> T): T? =
    rows(sql, bind, read).let { found ->
        check(found.size <= 1) { "At most one row was expected and ${found.size} came." }
        found.singleOrNull()
    }

/** Runs a statement that answers with a count of rows. */
internal fun Connection.update(sql: String, bind: Binder.() -> Unit = {}): Int = prepareStatement(sql).use { statement ->
    Binder(this, statement).bind()
    statement.executeUpdate()
}
