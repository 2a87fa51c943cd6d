package io.runledger.exposed.schema

import java.security.MessageDigest
import java.util.HexFormat
import java.util.UUID

/**
 * The notification channel of a ledger: one per schema, in the ledger's database. PostgreSQL allows 63 bytes, so the channel
 * of a long schema name contains a hash of the name instead.
 */
internal data class Channel(val name: String) {
    constructor(schema: SchemaName) : this(nameOf(schema.text))

    /** The name as an SQL string literal. */
    val literal: String get() = "'$name'"

    /** The name as a quoted identifier, for LISTEN. */
    val quoted: String get() = "\"$name\""

    companion object {
        private const val PREFIX = "runledger_"
        private const val MAX_LENGTH = 63
        private const val HASH_LENGTH = 40

        /** A channel that no other client uses. It contains hyphens, which a schema name cannot have. */
        fun ofProbe(): Channel = Channel("$PREFIX${UUID.randomUUID()}")

        private fun nameOf(schema: String): String =
            "$PREFIX$schema".takeIf { it.length <= MAX_LENGTH } ?: "$PREFIX${hash(schema)}"

        private fun hash(text: String): String {
            val digest = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
            return HexFormat.of().formatHex(digest).take(HASH_LENGTH)
        }
    }
}
