package io.runledger.exposed.control

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Text

/** Why an operator did something: words that are kept in the ledger. */
internal object Reason {
    private const val MAX_BYTES = 8 * 1024

    /** [given] if it can be kept, [otherwise] when nothing was given. */
    fun of(given: String?, otherwise: String): String = if (given == null) otherwise else required(given)

    fun required(given: String): String {
        val problem = when {
            Text.isBlank(given) -> "blank: say why in a few words"
            !Text.isStorable(given) -> "not storable: leave out NUL and half surrogate pairs"
            Text.utf8Length(given) > MAX_BYTES -> "longer than $MAX_BYTES bytes: shorten it"
            else -> return given
        }
        throw ErrorCode.INVALID_ARGUMENT.exception("The reason is $problem.")
    }
}
