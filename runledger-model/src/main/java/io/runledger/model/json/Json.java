package io.runledger.model.json;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;

/**
 * Well-formed JSON text that PostgreSQL's {@code jsonb} accepts. The text is kept unchanged. Two values are equal if
 * their texts are equal; the database compares JSON values instead.
 *
 * @param text any JSON value, for example {@code {"order":42}}
 */
public record Json(String text) {
    /** The JSON value {@code null}. It differs from the absence of a value. */
    public static final Json NULL = new Json("null");

    /** An object without members. */
    public static final Json EMPTY_OBJECT = new Json("{}");

    /** @throws InvalidRequestException with {@code json.invalid} and the position of the first error */
    public Json {
        JsonSyntax.firstOffence(text).ifPresent(offence -> {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_JSON, "The text is not JSON that the ledger can store: " + offence);
        });
    }

    /** @throws InvalidRequestException with {@code json.invalid} if the text is not JSON */
    public static Json of(String text) {
        return new Json(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
