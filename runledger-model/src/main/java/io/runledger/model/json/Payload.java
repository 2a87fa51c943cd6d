package io.runledger.model.json;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value to be stored: either {@link Json}, or an object that the client's {@link PayloadCodec} encodes when the value
 * is written.
 */
public final class Payload {
    /**
     * The maximum nesting depth of a value. It is lower than {@link Json#MAX_DEPTH}, because the ledger stores
     * values inside its own documents, for example the request of a run.
     */
    public static final int MAX_DEPTH = 500;

    private static final Payload EMPTY = new Payload(Json.EMPTY_OBJECT);

    private final @Nullable Object value;
    private final @Nullable Type declared;
    private final Map<String, Object> added;

    private Payload(@Nullable Object value) {
        this(value, null, Map.of());
    }

    private Payload(@Nullable Object value, @Nullable Type declared, Map<String, Object> added) {
        this.value = value;
        this.declared = declared;
        this.added = added;
    }

    /**
     * Wraps a value. {@link Json} is stored unchanged, a {@code Payload} is returned unchanged, null becomes the JSON
     * value {@code null}, and the codec encodes any other object.
     */
    public static Payload of(@Nullable Object value) {
        return value instanceof Payload payload ? payload : new Payload(value);
    }

    /**
     * Like {@link #of(Object)}, but passes the declared type to the codec, so that the codec can write the class of a
     * value of a sealed type.
     *
     * @param declared type as which the value will be decoded
     */
    public static Payload of(@Nullable Object value, Type declared) {
        boolean saysItAll = value == null || value instanceof Json || value.getClass() == declared;
        return saysItAll || value instanceof Payload ? of(value) : new Payload(value, declared, Map.of());
    }

    /**
     * @param text any JSON value
     * @throws InvalidRequestException with {@code json.invalid} if the text is not JSON
     */
    public static Payload json(String text) {
        return new Payload(Json.of(text));
    }

    /** An object without members. */
    public static Payload empty() {
        return EMPTY;
    }

    /**
     * Returns a copy with one more member, which replaces a member of the same name. The value must be encoded as a
     * JSON object, or be null, which counts as an object without members.
     *
     * @param member value of the member, encoded by the codec
     */
    public Payload withMember(String name, Object member) {
        Map<Object, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map && declared == null) {
            members.putAll(map);
        } else if (!equals(EMPTY)) {
            Map<String, Object> all = new LinkedHashMap<>(added);
            all.put(name, member);
            return new Payload(value, declared, Collections.unmodifiableMap(all));
        }
        members.put(name, member);
        return new Payload(Collections.unmodifiableMap(members));
    }

    /**
     * The original value.
     *
     * @return {@link Json}, another object, or null
     */
    public @Nullable Object value() {
        return value;
    }

    /**
     * @param codec encodes values other than {@link Json}
     * @throws InvalidRequestException with {@code job.invalid_payload} if the codec cannot encode the value or it is
     *     nested deeper than {@link #MAX_DEPTH} levels
     */
    public Json encode(PayloadCodec codec) {
        return encode(codec, ErrorCode.INVALID_PAYLOAD);
    }

    /**
     * @param codec encodes values other than {@link Json}
     * @param refusal error code for a value that cannot be encoded
     * @throws InvalidRequestException with that code if the codec cannot encode the value or it is nested deeper than
     *     {@link #MAX_DEPTH} levels
     */
    public Json encode(PayloadCodec codec, ErrorCode refusal) {
        Json own = encodeOwn(codec, refusal);
        Json json = added.isEmpty() ? own : joined(own, codec.encode(added), refusal);
        requireDepth(json.text(), refusal);
        return json;
    }

    private static void requireDepth(String json, ErrorCode refusal) {
        if (JsonSyntax.isDeeperThan(MAX_DEPTH, json)) {
            throw new InvalidRequestException(
                    refusal, "The value is nested deeper than " + MAX_DEPTH + " levels: use a flatter structure.");
        }
    }

    /** If a name occurs twice, the database and the codec use the last member. */
    private static Json joined(Json own, Json added, ErrorCode refusal) {
        String text = own.text().strip();
        if (text.equals("null")) {
            return added;
        }
        if (!text.startsWith("{")) {
            throw new InvalidRequestException(
                    refusal, "Members can only be added to a JSON object: pass an object or null as the value.");
        }
        String members = text.substring(1, text.length() - 1).strip();
        return members.isEmpty()
                ? added
                : Json.of("{" + members + "," + added.text().strip().substring(1));
    }

    private Json encodeOwn(PayloadCodec codec, ErrorCode refusal) {
        if (value instanceof Json json) {
            return json;
        }
        try {
            return declared == null ? codec.encode(value) : codec.encode(value, declared);
        } catch (Throwable failure) {
            // Also an Error: it may come from a getter of the value, and must not look like an error of the library.
            String type = value == null ? "null" : value.getClass().getName();
            throw new InvalidRequestException(
                    refusal,
                    "A value of " + type
                            + " cannot be encoded as JSON: use a type that the codec supports, or pass Json.",
                    failure.getMessage(),
                    failure);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that
                && Objects.equals(value, that.value)
                && Objects.equals(declared, that.declared)
                && added.equals(that.added);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(value);
    }

    /** Contains only the type, because payloads must not be logged. */
    @Override
    public String toString() {
        return "payload of " + (value == null ? "null" : value.getClass().getSimpleName());
    }
}
