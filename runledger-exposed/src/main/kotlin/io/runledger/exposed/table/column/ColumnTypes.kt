package io.runledger.exposed.table.column

import io.runledger.exposed.sql.StoredJson
import io.runledger.model.json.Json
import io.runledger.model.ledger.WireText
import org.jetbrains.exposed.v1.core.ColumnType
import org.jetbrains.exposed.v1.core.JsonColumnMarker
import org.jetbrains.exposed.v1.core.datetime.OffsetDateTimeColumnType
import org.jetbrains.exposed.v1.core.statements.api.PreparedStatementApi
import org.postgresql.util.PGobject
import java.math.BigDecimal
import java.time.Instant
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit

internal class JsonbColumnType :
    ColumnType<Json>(),
    JsonColumnMarker {
    override val usesBinaryFormat: Boolean get() = true
    override val needsBinaryFormatCast: Boolean get() = false

    override fun sqlType(): String = "JSONB"

    override fun valueFromDB(value: Any): Json = value as? Json ?: StoredJson.read(databaseText(value))

    override fun notNullValueToDB(value: Json): Any = value.text

    override fun nonNullValueToString(value: Json): String = "${quotedText(value.text)}::jsonb"

    override fun setParameter(stmt: PreparedStatementApi, index: Int, value: Any?) =
        super.setParameter(stmt, index, value?.let { databaseObject("jsonb", it as String) })
}

/** PostgreSQL stores microseconds. Finer digits are cut off before the value is sent, so that it reads back equal. */
internal class TimestamptzColumnType : OffsetDateTimeColumnType<Instant>() {
    override fun toOffsetDateTime(value: Instant): OffsetDateTime = value.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC)

    override fun fromOffsetDateTime(datetime: OffsetDateTime): Instant = datetime.toInstant()
}

internal class NumericColumnType : ColumnType<BigDecimal>() {
    override fun sqlType(): String = "NUMERIC"

    override fun valueFromDB(value: Any): BigDecimal = value as? BigDecimal ?: BigDecimal(value.toString())
}

/** A type created by `CREATE TYPE ... AS ENUM`, qualified with its schema so that it does not depend on the search path. */
internal class WireEnumColumnType<E>(private val sqlName: String, private val type: Class<E>) :
    ColumnType<E>() where E : Enum<E>, E : WireText {
    override fun sqlType(): String = sqlName

    override fun valueFromDB(value: Any): E =
        if (type.isInstance(value)) type.cast(value) else WireText.of(type, databaseText(value))

    override fun notNullValueToDB(value: E): Any = databaseObject(sqlName, value.wire())

    override fun nonNullValueToString(value: E): String = "${quotedText(value.wire())}::$sqlName"
}

/** A `text` column whose check constraint allows the constants of an enum. */
internal class WireTextColumnType<E>(private val type: Class<E>) : ColumnType<E>() where E : Enum<E>, E : WireText {
    override fun sqlType(): String = "TEXT"

    override fun valueFromDB(value: Any): E =
        if (type.isInstance(value)) type.cast(value) else WireText.of(type, databaseText(value))

    override fun notNullValueToDB(value: E): Any = value.wire()

    override fun nonNullValueToString(value: E): String = quotedText(value.wire())
}

private fun databaseObject(type: String, value: String) = PGobject().also {
    it.type = type
    it.value = value
}

private fun databaseText(value: Any): String = (value as? PGobject)?.value ?: value.toString()

private fun quotedText(text: String) = "'${text.replace("'", "''")}'"
