package io.runledger.model.ledger;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InternalException;
import io.runledger.model.text.Text;

/** An enum constant with a stable text in the database. */
public interface WireText {
    String name();

    /** The text in rows and requests; the default is the name of the constant. */
    default String wire() {
        return name();
    }

    /**
     * Finds the constant for a stored text.
     *
     * @throws InternalException with {@code db.query_failed} if the text is unknown to this version
     */
    static <E extends Enum<E> & WireText> E of(Class<E> type, String wire) {
        for (E constant : type.getEnumConstants()) {
            if (constant.wire().equals(wire)) {
                return constant;
            }
        }
        throw new InternalException(
                ErrorCode.DB_QUERY_FAILED,
                "The ledger contains an unknown " + type.getSimpleName() + ": upgrade the library.",
                "unknown " + type.getSimpleName() + " " + Text.quoted(wire),
                null);
    }
}
