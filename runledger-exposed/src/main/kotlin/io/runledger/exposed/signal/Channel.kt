package io.runledger.exposed.signal

import io.runledger.exposed.schema.SchemaName
import java.security.MessageDigest
import java.util.HexFormat

/**
 * Where a ledger's signals are sent: one channel per schema, in the ledger's database. PostgreSQL allows 63 bytes, so the channel
 * of a long schema name carries its hash instead.
 */
internal class Channel(schema: SchemaName) {
    val name: String = "$PREFIX${schema.text}".takeIf { it.length <= MAX_LENGTH } ?: "$PREFIX${hash(schema.text)}"

    /** The name as a text in SQL. */
    val literal: String get() = "'$name'"

    /** The name as LISTEN wants it. */
    val quoted: String get() = "\"$name\""

    private fun hash(text: String): String {
        val digest = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
        return HexFormat.of().formatHex(digest).take(HASH_LENGTH)
    }

    private companion object {
        const val PREFIX = "runledger_"
        const val MAX_LENGTH = 63
        const val HASH_LENGTH = 40
    }
}
