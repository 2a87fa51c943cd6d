package io.runledger.model.json;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;

/**
 * Well-formed JSON text that PostgreSQL's {@code jsonb} accepts. The text is kept unchanged. Two values are equal if
 * their texts are equal; the database compares JSON values instead.
 *
 * <p>The nesting depth is not limited here, so that reads can return whatever another program has stored. The library
 * stores no value that is nested deeper than {@link #MAX_DEPTH} levels, and no payload, output, checkpoint or context
 * deeper than {@link Payload#MAX_DEPTH}.
 *
 * @param text any JSON value, for example {@code {"order":42}}
 */
public record Json(String text) {
    /** The maximum nesting depth of a value that the library stores or gives to a handler. */
    public static final int MAX_DEPTH = 512;

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

    /** The number of objects and arrays that enclose the innermost value; 0 for anything but an object or an array. */
    public int depth() {
        return JsonSyntax.depth(text);
    }

    /**
     * Returns this value, which the library stores.
     *
     * @throws InvalidRequestException with {@code json.invalid} if it is nested deeper than {@link #MAX_DEPTH} levels
     */
    public Json requireStorable() {
        if (JsonSyntax.isDeeperThan(MAX_DEPTH, text)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_JSON,
                    "The JSON is nested deeper than " + MAX_DEPTH + " levels: use a flatter structure.");
        }
        return this;
    }

    @Override
    public String toString() {
        return text;
    }
}
