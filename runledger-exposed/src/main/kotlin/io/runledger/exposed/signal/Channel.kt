package io.runledger.exposed.signal

import io.runledger.exposed.schema.SchemaName
import java.security.MessageDigest
import java.util.HexFormat
import java.util.UUID

/**
 * Where a ledger's signals are sent: one channel per schema, in the ledger's database. PostgreSQL allows 63 bytes, so the channel
 * of a long schema name carries its hash instead.
 */
internal data class Channel(val name: String) {
    constructor(schema: SchemaName) : this(nameOf(schema.text))

    /** The name as a text in SQL. */
    val literal: String get() = "'$name'"

    /** The name as LISTEN wants it. */
    val quoted: String get() = "\"$name\""

    companion object {
        private const val PREFIX = "runledger_"
        private const val MAX_LENGTH = 63
        private const val HASH_LENGTH = 40

        /** A channel that nobody else knows: no schema's name has a hyphen. */
        fun ofProbe(): Channel = Channel("$PREFIX${UUID.randomUUID()}")

        private fun nameOf(schema: String): String =
            "$PREFIX$schema".takeIf { it.length <= MAX_LENGTH } ?: "$PREFIX${hash(schema)}"

        private fun hash(text: String): String {
            val digest = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
            return HexFormat.of().formatHex(digest).take(HASH_LENGTH)
        }
    }
}
