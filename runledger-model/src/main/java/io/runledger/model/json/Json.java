package io.runledger.model.json;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;

/**
 * Well-formed JSON text that PostgreSQL's {@code jsonb} accepts. The text is kept as given; two values are equal when their texts
 * are, while the database compares by meaning.
 *
 * @param text any JSON value, for example {@code {"order":42}}
 */
public record Json(String text) {
    /** The JSON value {@code null}, which is not the same as no value. */
    public static final Json NULL = new Json("null");

    /** An object without members. */
    public static final Json EMPTY_OBJECT = new Json("{}");

    /**
     * Checks the text.
     *
     * @param text any JSON value
     * @throws InvalidRequestException with {@code json.invalid} and the position of the first offence
     */
    public Json {
        JsonSyntax.firstOffence(text).ifPresent(offence -> {
            throw new InvalidRequestException(ErrorCode.INVALID_JSON, "Not JSON the ledger can store: " + offence);
        });
    }

    /**
     * Checks a text and wraps it.
     *
     * @param text any JSON value
     * @return the wrapped text
     * @throws InvalidRequestException with {@code json.invalid} when it is not JSON
     */
    public static Json of(String text) {
        return new Json(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
