package io.runledger.exposed.context

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.text.Text

/** The reason for an operator's action, as stored in the ledger. */
internal object Reason {
    private const val MAX_BYTES = 8 * 1024

    /** [given] if it is valid, or [otherwise] if it is null. */
    fun of(given: String?, otherwise: String): String = if (given == null) otherwise else required(given)

    fun required(given: String): String {
        val problem = when {
            Text.isBlank(given) -> "blank: give a short reason"
            !Text.isStorable(given) -> "not storable: remove NUL characters and unpaired surrogates"
            Text.utf8Length(given) > MAX_BYTES -> "longer than $MAX_BYTES bytes: shorten it"
            else -> return given
        }
        throw ErrorCode.INVALID_ARGUMENT.exception("The reason is $problem.")
    }
}
