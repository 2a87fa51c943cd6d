package io.runledger.model.json;

import java.lang.invoke.MethodType;
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
     * Encodes a value that will be decoded as a declared type, perhaps a sealed one: the JSON must then tell which of its classes
     * the value is. Unless overridden the declared type is not looked at.
     *
     * @param value the value, or null for the JSON value {@code null}
     * @param declared what it will be decoded as; a class or a generic type
     * @return its JSON
     * @throws RuntimeException of any kind when it cannot; the library turns it into {@code job.invalid_payload}
     */
    default Json encode(@Nullable Object value, Type declared) {
        return encode(value);
    }

    /**
     * What the JSON of a sealed type calls one of its classes; stories use the same word.
     *
     * @param type one of the classes
     * @return its short name; unless overridden its simple name
     */
    default String nameOf(Class<?> type) {
        return type.getSimpleName();
    }

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
    @SuppressWarnings("unchecked") // int.class casts nothing; its box does
    default <T> @Nullable T decode(Json json, Class<T> type) {
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        return (T) boxed.cast(decode(json, (Type) type));
    }
}
