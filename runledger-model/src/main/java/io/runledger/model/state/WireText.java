package io.runledger.model.state;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InternalException;
import io.runledger.model.id.Text;

/** An enum constant with a stable text in the database. */
public interface WireText {
    /**
     * The constant's own name.
     *
     * @return as {@link Enum#name()}
     */
    String name();

    /**
     * The text in rows and requests; the constant's name unless it says otherwise.
     *
     * @return the stored text
     */
    default String wire() {
        return name();
    }

    /**
     * Finds the constant a stored text stands for.
     *
     * @param type the enum
     * @param wire the stored text
     * @param <E> the enum
     * @return the constant
     * @throws InternalException with {@code db.query_failed} for a text this version does not know
     */
    static <E extends Enum<E> & WireText> E of(Class<E> type, String wire) {
        for (E constant : type.getEnumConstants()) {
            if (constant.wire().equals(wire)) {
                return constant;
            }
        }
        throw new InternalException(
                ErrorCode.DB_QUERY_FAILED,
                "The ledger holds a " + type.getSimpleName() + " this version does not know: upgrade the library.",
                "unknown " + type.getSimpleName() + " " + Text.quoted(wire),
                null);
    }
}
