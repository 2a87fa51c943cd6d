package io.runledger.exposed.schema

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.text.Text

/**
 * The schema of a ledger: a plain PostgreSQL identifier of lower-case letters, digits and underscores, at most 63 characters
 * long, neither `pg_...` nor `information_schema`. Reserved words such as `order` are allowed, because the library always
 * quotes the name. Any other name is refused with `schema.invalid_name`.
 */
public data class SchemaName(@get:JvmName("text") public val text: String) {
    init {
        problem(text)?.let { throw InvalidRequestException(ErrorCode.SCHEMA_NAME, "The schema name ${Text.quoted(text)} $it") }
    }

    /** The name in double quotes, for SQL. */
    @get:JvmName("quoted")
    public val quoted: String get() = "\"$text\""

    /** [name] in this schema, both in double quotes. */
    @JvmSynthetic
    internal fun qualify(name: String): String = "$quoted.\"$name\""

    override fun toString(): String = text

    public companion object {
        private const val MAX_LENGTH = 63
        private val plain = Regex("[a-z_][a-z0-9_]*")

        /** The default schema of a ledger. */
        @JvmField
        public val DEFAULT: SchemaName = SchemaName("runledger")

        private fun problem(text: String): String? = when {
            !plain.matches(text) -> "is not a plain identifier. Use lower-case letters, digits and underscores only."
            text.length > MAX_LENGTH -> "is longer than $MAX_LENGTH characters, the maximum of PostgreSQL. Shorten it."
            text.startsWith("pg_") || text == "information_schema" -> "is reserved by PostgreSQL. Choose another name."
            else -> null
        }
    }
}
