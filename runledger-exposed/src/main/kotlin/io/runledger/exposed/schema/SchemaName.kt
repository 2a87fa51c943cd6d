package io.runledger.exposed.schema

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.id.Text

/**
 * The schema a ledger lives in: a plain PostgreSQL identifier of lower-case letters, digits and underscores, at most 63 long,
 * neither `pg_...` nor `information_schema`. Reserved words such as `order` are fine, because the library quotes the name
 * wherever it writes it. Anything else is refused with `schema.invalid_name`.
 */
public data class SchemaName(public val text: String) {
    init {
        problem(text)?.let { throw InvalidRequestException(ErrorCode.SCHEMA_NAME, "The schema name ${Text.quoted(text)} $it") }
    }

    /** The name in double quotes, as SQL wants it. */
    public val quoted: String get() = "\"$text\""

    /** [name] in this schema, both in double quotes. */
    @JvmSynthetic
    internal fun qualify(name: String): String = "$quoted.\"$name\""

    override fun toString(): String = text

    public companion object {
        private const val MAX_LENGTH = 63
        private val plain = Regex("[a-z_][a-z0-9_]*")

        /** Where a ledger lives unless told otherwise. */
        @JvmField
        public val DEFAULT: SchemaName = SchemaName("runledger")

        private fun problem(text: String): String? = when {
            !plain.matches(text) -> "is not a plain identifier: use lower-case letters, digits and underscores only."
            text.length > MAX_LENGTH -> "is longer than $MAX_LENGTH characters, which PostgreSQL would cut off: shorten it."
            text.startsWith("pg_") || text == "information_schema" -> "belongs to PostgreSQL itself: choose another one."
            else -> null
        }
    }
}
