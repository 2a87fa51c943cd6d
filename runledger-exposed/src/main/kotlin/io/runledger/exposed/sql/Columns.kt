package io.runledger.exposed.sql

import io.runledger.model.json.Json
import io.runledger.model.ledger.WireText
import java.sql.ResultSet
import java.time.Duration
import java.time.Instant
import java.time.OffsetDateTime
import java.util.UUID

internal fun ResultSet.uuid(column: String): UUID = getObject(column, UUID::class.java)

internal fun ResultSet.uuid(column: Int): UUID = getObject(column, UUID::class.java)

internal fun ResultSet.uuidOrNull(column: Int): UUID? = getObject(column, UUID::class.java)

internal fun ResultSet.instantOrNull(column: Int): Instant? = getObject(column, OffsetDateTime::class.java)?.toInstant()

internal fun ResultSet.uuidOrNull(column: String): UUID? = getObject(column, UUID::class.java)

/** The elements of an array of ids; none if the column is null. */
internal fun ResultSet.uuidsOrNone(column: String): Set<UUID> =
    (getArray(column)?.array as? Array<*>).orEmpty().mapTo(HashSet()) { it as UUID }

internal fun ResultSet.instant(column: String): Instant = getObject(column, OffsetDateTime::class.java).toInstant()

internal fun ResultSet.instantOrNull(column: String): Instant? = getObject(column, OffsetDateTime::class.java)?.toInstant()

internal fun ResultSet.intOrNull(column: String): Int? = getInt(column).takeUnless { wasNull() }

internal fun ResultSet.booleanOrNull(column: String): Boolean? = getBoolean(column).takeUnless { wasNull() }

internal fun ResultSet.longOrNull(column: String): Long? = getLong(column).takeUnless { wasNull() }

internal fun ResultSet.seconds(column: String): Duration = Duration.ofSeconds(getLong(column))

internal fun ResultSet.json(column: String): Json = StoredJson.read(getString(column))

internal fun ResultSet.jsonOrNull(column: String): Json? = getString(column)?.let(StoredJson::read)

/** For reads that pass a document on: it may be nested deeper than what the library stores. */
internal fun ResultSet.jsonOfAnyDepth(column: String): Json = StoredJson.readAnyDepth(getString(column))

internal fun ResultSet.jsonOfAnyDepthOrNull(column: String): Json? = getString(column)?.let(StoredJson::readAnyDepth)

internal inline fun <reified E> ResultSet.wire(column: String): E where E : Enum<E>, E : WireText =
    WireText.of(E::class.java, getString(column))

internal inline fun <reified E> ResultSet.wireOrNull(column: String): E? where E : Enum<E>, E : WireText =
    getString(column)?.let { WireText.of(E::class.java, it) }
