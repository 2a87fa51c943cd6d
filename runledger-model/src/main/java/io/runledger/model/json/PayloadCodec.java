package io.runledger.model.json;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns payloads, checkpoints and outputs into JSON and back. Must be safe for use by many threads. What it writes is stored for
 * years: its settings should not depend on a library's defaults.
 */
public interface PayloadCodec {
    /**
     * Encodes a value.
     *
     * @param value the value, or null for the JSON value {@code null}
     * @return its JSON
     * @throws RuntimeException of any kind when it cannot; the library turns it into {@code job.invalid_payload}
     */
    Json encode(@Nullable Object value);

    /**
     * Decodes a value.
     *
     * @param json what was stored
     * @param type what the caller wants; a class or a generic type
     * @return the value; null only for the JSON value {@code null}
     * @throws RuntimeException of any kind when it cannot; the library turns it into {@code job.invalid_payload}
     */
    @Nullable
    Object decode(Json json, Type type);

    /**
     * Decodes a value of a plain class.
     *
     * @param json what was stored
     * @param type what the caller wants
     * @param <T> what the caller wants
     * @return the value; null only for the JSON value {@code null}
     */
    @SuppressWarnings(
            "unchecked") // the codec answers with what it was asked for; a cast by class would refuse primitives
    default <T> @Nullable T decode(Json json, Class<T> type) {
        return (T) decode(json, (Type) type);
    }
}
