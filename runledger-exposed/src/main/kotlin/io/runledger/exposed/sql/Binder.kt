package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.WireText
import org.postgresql.PGProperty
import org.postgresql.PGStatement
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.ResultSet
import java.sql.SQLException
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

/** Sets the parameters of a statement by name, each with its SQL type. Lists are sent as arrays. */
internal class Binder(
    private val connection: Connection,
    private val statement: PreparedStatement,
    private val parameters: NamedParameters,
) {
    fun text(name: String, value: String?) = at(name) { statement.setString(it, value) }

    fun int(name: String, value: Int?) = at(name) { statement.setObject(it, value, Types.INTEGER) }

    fun long(name: String, value: Long?) = at(name) { statement.setObject(it, value, Types.BIGINT) }

    fun bool(name: String, value: Boolean?) = at(name) { statement.setObject(it, value, Types.BOOLEAN) }

    fun uuid(name: String, value: UUID?) = at(name) { statement.setObject(it, value, Types.OTHER) }

    fun instant(name: String, value: Instant?) =
        at(name) { statement.setObject(it, value?.toOffset(), Types.TIMESTAMP_WITH_TIMEZONE) }

    /** The first and the last time of the JDK are infinite for the database. */
    fun time(name: String, value: OffsetDateTime) = at(name) { statement.setObject(it, value, Types.TIMESTAMP_WITH_TIMEZONE) }

    /** For a parameter that the statement casts to jsonb. */
    fun json(name: String, value: Json?) = text(name, value?.text())

    fun texts(name: String, values: List<String?>) = array(name, "text", values.toTypedArray())

    fun textsOrNull(name: String, values: List<String>?) =
        if (values == null) at(name) { statement.setNull(it, Types.ARRAY) } else texts(name, values)

    fun ints(name: String, values: List<Int?>) = array(name, "int4", values.toTypedArray())

    fun longs(name: String, values: List<Long?>) = array(name, "int8", values.toTypedArray())

    fun bools(name: String, values: List<Boolean?>) = array(name, "bool", values.toTypedArray())

    fun uuids(name: String, values: List<UUID?>) = array(name, "uuid", values.toTypedArray())

    fun uuidsOrNull(name: String, values: List<UUID>?) =
        if (values == null) at(name) { statement.setNull(it, Types.ARRAY) } else uuids(name, values)

    fun instants(name: String, values: List<Instant?>) =
        array(name, "timestamptz", values.map { it?.toOffset()?.let(literal::format) }.toTypedArray())

    fun wires(name: String, values: List<WireText?>) = texts(name, values.map { it?.wire() })

    /** For a parameter whose elements the statement casts to jsonb. */
    fun jsons(name: String, values: List<Json?>) = texts(name, values.map { it?.text() })

    private fun array(name: String, type: String, values: Array<*>) {
        val array = connection.createArrayOf(type, values)
        at(name) { statement.setArray(it, array) }
    }

    private inline fun at(name: String, set: (Int) -> Unit) = parameters.positionsOf(name).forEach(set)

    private fun Instant.toOffset(): OffsetDateTime = requireStorable().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC)

    private companion object {
        /** The format that PostgreSQL reads. ISO-8601 would sign years after 9999 and before year 1. */
        val literal: DateTimeFormatter = DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 6, SignStyle.NEVER)
            .appendPattern("-MM-dd HH:mm:ss.SSSSSSXXX ")
            // Not the pattern letter G: newer JDKs write CE and BCE for it, which PostgreSQL does not accept.
            .appendText(ChronoField.ERA, mapOf(0L to "BC", 1L to "AD"))
            .toFormatter(Locale.ROOT)
    }
}

/**
 * The [value] of each element, for one of the arrays of an `unnest`. If all values are null, the array is empty, which is
 * cheaper to send and to read: `unnest` fills a shorter array with nulls. At least one of the arrays must be complete.
 */
internal inline fun <R, T : Any> List<R>.sparse(value: (R) -> T?): List<T?> = map(value).let { values ->
    if (values.any { it != null }) values else emptyList()
}

/** Runs a statement that returns rows, including `UPDATE … RETURNING`. */
internal fun <T> Connection.rows(sql: String, bind: Binder.() -> Unit = {}, read: ResultSet.() -> T): List<T> =
    prepared(sql, bind) { it.executeQuery().all(read) }

/** Like [rows]. The server keeps the statement from its first execution on a connection. */
internal fun <T> Connection.rowsKeptAtOnce(sql: String, bind: Binder.() -> Unit, read: ResultSet.() -> T): List<T> =
    prepared(sql, bind) { statement ->
        statement.keepAtOnce()
        statement.executeQuery().all(read)
    }

/**
 * Like [rows], with a generic plan that the server creates once per connection and keeps, for a statement that takes longer to
 * plan than to run. A plan created while a table is empty must also work when the table is full. Sequential scans, and bitmap
 * scans, which need a sort, are therefore disabled.
 *
 * The settings are sent with the statement and apply to all statements until the end of the transaction. If the next statement
 * or the commit does not arrive within [idleLimit], the server ends the transaction and the connection. This releases its
 * locks even if the process is suspended or disconnected.
 */
internal fun <T> Connection.rowsByKeptPlan(
    sql: String,
    bind: Binder.() -> Unit = {},
    idleLimit: Duration? = null,
    read: ResultSet.() -> T,
): List<T> = prepared(sql, bind, before = "$KEEP_PLAN${idleLimit?.let(::endingWhenIdle).orEmpty()};\n") { statement ->
    statement.keepAtOnce()
    statement.execute()
    check(statement.moreResults) { "The server returned a result for the settings but none for the statement." }
    statement.resultSet.all(read)
}

/**
 * Keeps the statement on the server from its first execution. By default the driver does so from the fifth, and a pool has many
 * connections. A service that has set another threshold, for example none because of a pooler, keeps it. So does one whose
 * wrapper hides the driver.
 */
private fun PreparedStatement.keepAtOnce() {
    val driver = try {
        unwrap(PGStatement::class.java)
    } catch (_: SQLException) {
        return
    } catch (_: ClassCastException) {
        return
    }
    if (driver.prepareThreshold == DEFAULT_THRESHOLD) driver.prepareThreshold = 1
}

private val DEFAULT_THRESHOLD: Int = checkNotNull(PGProperty.PREPARE_THRESHOLD.defaultValue).toInt()

internal const val KEEP_PLAN =
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
        "set_config('enable_bitmapscan', 'off', true)"

/** The longest timeout of the server is a little less than 25 days. */
private fun endingWhenIdle(limit: Duration) =
    ", set_config('idle_in_transaction_session_timeout', '${limit.toMillis().coerceAtMost(Int.MAX_VALUE.toLong())}', true)"

private fun <T> ResultSet.all(read: ResultSet.() -> T): List<T> = use { buildList { while (next()) add(reading(read)) } }

/** Reads a row. A damaged row, with a missing or invalid value, is refused. */
private inline fun <T> ResultSet.reading(read: ResultSet.() -> T): T = try {
    read()
} catch (refused: RunledgerException) {
    throw refused
} catch (damaged: RuntimeException) {
    throw InternalException(
        ErrorCode.DB_QUERY_FAILED,
        "A row of the ledger cannot be read. It was changed by hand, or by a newer version of the library.",
        "$damaged",
        damaged,
    )
}

/** Runs a statement that returns at most one row. */
internal fun <T> Connection.row(sql: String, bind: Binder.() -> Unit = {}, read: ResultSet.() -> T): T? =
    rows(sql, bind, read).let { found ->
        check(found.size <= 1) { "The statement returned ${found.size} rows instead of at most one." }
        found.singleOrNull()
    }

/** Runs a statement and returns the number of changed rows. */
internal fun Connection.update(sql: String, bind: Binder.() -> Unit = {}): Int = prepared(sql, bind) { it.executeUpdate() }

/** [before] has no parameters. It is not part of the text that is parsed, which stays the same for every call. */
private inline fun <T> Connection.prepared(
    sql: String,
    bind: Binder.() -> Unit,
    before: String = "",
    run: (PreparedStatement) -> T,
): T {
    val parameters = NamedParameters.of(sql)
    return prepareStatement(parameters.textAfter(before)).use { statement ->
        Binder(this, statement, parameters).bind()
        run(statement)
    }
}
