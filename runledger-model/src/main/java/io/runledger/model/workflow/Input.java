package io.runledger.model.workflow;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.json.Json;
import io.runledger.model.value.Identifier;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * An input of a step: a name and the type as which it is decoded. The workflow binds it to the output of another step
 * ({@code uses(charged, RECEIPT)}), and the handler reads it ({@code job.input(RECEIPT)}), so that a handler does not
 * depend on step keys. The binding is stored under the name: after renaming an input, live runs keep the old name.
 *
 * @param name unique among the inputs of a step
 * @param type type as which outputs are decoded
 */
public record Input<T>(String name, Type type) {
    /**
     * @throws InvalidRequestException with {@code workflow.invalid_dag_input} if the name is blank, too long or
     *     contains control characters
     */
    public Input {
        Identifier.INPUT_NAME.require(name);
        Objects.requireNonNull(type, "type");
    }

    public static <T> Input<T> of(String name, Class<T> type) {
        return new Input<>(name, type);
    }

    /**
     * Declares an input of a generic type. The caller must make sure that {@code T} and the type are the same.
     *
     * @param type type as which outputs are decoded, for example a {@code ParameterizedType}
     */
    public static <T> Input<T> of(String name, Type type) {
        return new Input<>(name, type);
    }

    /** Declares an input that is not decoded. */
    public static Input<Json> json(String name) {
        return of(name, Json.class);
    }
}
