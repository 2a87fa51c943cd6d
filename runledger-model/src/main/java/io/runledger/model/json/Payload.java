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
 * A value on its way into the ledger: either JSON already, or an object that the client's {@link PayloadCodec} encodes when it is
 * written.
 */
public final class Payload {
    /**
     * How deep a value may be nested. Less than {@link Json} reads, because the ledger stores values inside documents of its own,
     * such as the request of a run, which it must be able to read back.
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
     * Wraps a value. A {@link Json} is stored as it is, a {@code Payload} is returned as it is, null becomes the JSON value
     * {@code null}, and anything else is encoded by the codec.
     *
     * @param value the value
     * @return the payload
     */
    public static Payload of(@Nullable Object value) {
        return value instanceof Payload payload ? payload : new Payload(value);
    }

    /**
     * Wraps a value that will be decoded as a declared type. The codec learns that type, so that it can write which class of a
     * sealed family the value is; otherwise the same as {@link #of(Object)}.
     *
     * @param value the value
     * @param declared what it will be decoded as
     * @return the payload
     */
    public static Payload of(@Nullable Object value, Type declared) {
        boolean saysItAll = value == null || value instanceof Json || value.getClass() == declared;
        return saysItAll || value instanceof Payload ? of(value) : new Payload(value, declared, Map.of());
    }

    /**
     * JSON text as a payload.
     *
     * @param text any JSON value
     * @return the payload
     * @throws InvalidRequestException with {@code json.invalid} when it is not JSON
     */
    public static Payload json(String text) {
        return new Payload(Json.of(text));
    }

    /**
     * An object without members.
     *
     * @return the payload of whoever gives none
     */
    public static Payload empty() {
        return EMPTY;
    }

    /**
     * The same value with a member more, which counts over one of the same name. The value has to be a JSON object once it is encoded, or
     * null, which counts as an object without members.
     *
     * @param name name of the member
     * @param member what the codec encodes as its value
     * @return a copy
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
     * The value as it was given.
     *
     * @return a {@link Json}, any other object, or null
     */
    public @Nullable Object value() {
        return value;
    }

    /**
     * Encodes the value.
     *
     * @param codec what encodes everything that is not JSON already
     * @return the JSON to store
     * @throws InvalidRequestException with {@code job.invalid_payload} when the codec cannot encode it, or when it is nested
     *     deeper than {@link #MAX_DEPTH} levels
     */
    public Json encode(PayloadCodec codec) {
        return encode(codec, ErrorCode.INVALID_PAYLOAD);
    }

    /**
     * Encodes the value.
     *
     * @param codec what encodes everything that is not JSON already
     * @param refusal the validation code a value that cannot be encoded is refused with
     * @return the JSON to store
     * @throws InvalidRequestException with that code when the codec cannot encode it, or when it is nested deeper than
     *     {@link #MAX_DEPTH} levels
     */
    public Json encode(PayloadCodec codec, ErrorCode refusal) {
        Json own = encodeOwn(codec, refusal);
        Json json = added.isEmpty() ? own : joined(own, codec.encode(added), refusal);
        requireDepth(json.text(), refusal);
        return json;
    }

    /** A short text cannot be nested deep, so that most values are not read again for this. */
    private static void requireDepth(String json, ErrorCode refusal) {
        if (json.length() > 2 * MAX_DEPTH && JsonSyntax.depth(json) > MAX_DEPTH) {
            throw new InvalidRequestException(
                    refusal, "A value is nested deeper than " + MAX_DEPTH + " levels: give it a flatter shape.");
        }
    }

    /** Of two members with the same name the last counts, for the database as for the codec. */
    private static Json joined(Json own, Json added, ErrorCode refusal) {
        String text = own.text().strip();
        if (text.equals("null")) {
            return added;
        }
        if (!text.startsWith("{")) {
            throw new InvalidRequestException(
                    refusal, "A value to which members are added is no JSON object: give an object, or none.");
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
        } catch (Throwable failure) { // it may be a getter's own: an Error must not pass for the library's
            String type = value == null ? "null" : value.getClass().getName();
            throw new InvalidRequestException(
                    refusal,
                    "A value of " + type + " cannot be encoded as JSON: give it a shape the codec knows, or pass Json.",
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

    /** Names the type only: payloads are not for logs. */
    @Override
    public String toString() {
        return "payload of " + (value == null ? "null" : value.getClass().getSimpleName());
    }
}
