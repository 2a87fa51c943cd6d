package io.runledger.model.json;

import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Converts payloads, checkpoints and outputs to JSON and back. Implementations must be thread-safe. The JSON is stored
 * for a long time, so a codec should not depend on the default settings of its JSON library.
 */
public interface PayloadCodec {
    /**
     * @param value null stands for the JSON value {@code null}
     * @throws RuntimeException of any kind on failure; the library reports it as {@code job.invalid_payload}
     */
    Json encode(@Nullable Object value);

    /**
     * Encodes a value that will be decoded as a declared type. If the type is sealed, the JSON must contain the class
     * of the value. The default implementation ignores the declared type.
     *
     * @param value null stands for the JSON value {@code null}
     * @param declared a class or a generic type
     * @throws RuntimeException of any kind on failure; the library reports it as {@code job.invalid_payload}
     */
    default Json encode(@Nullable Object value, Type declared) {
        return encode(value);
    }

    /**
     * Prepares to decode values of a type, so that the first value takes no longer than the others. A worker calls it
     * for its payload types while it starts. The default implementation does nothing.
     *
     * @param type a class or a generic type
     */
    default void prepare(Type type) {}

    /** The name of a class of a sealed type in JSON and in job histories. The default is the simple name. */
    default String nameOf(Class<?> type) {
        return type.getSimpleName();
    }

    /**
     * @param type a class or a generic type
     * @return null only for the JSON value {@code null}
     * @throws RuntimeException of any kind on failure; the library reports it as {@code job.invalid_payload}
     */
    @Nullable
    Object decode(Json json, Type type);

    /** @return null only for the JSON value {@code null} */
    @SuppressWarnings("unchecked") // int.class.cast always fails; the boxed class works
    default <T> @Nullable T decode(Json json, Class<T> type) {
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        return (T) boxed.cast(decode(json, (Type) type));
    }
}
