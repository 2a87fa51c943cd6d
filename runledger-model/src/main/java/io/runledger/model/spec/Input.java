package io.runledger.model.spec;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.json.Json;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * A value that a step gets from an earlier one: its name, and what it is decoded to. Declared once; the workflow says which step
 * gives it ({@code uses(charged, RECEIPT)}) and the handler asks for it ({@code job.input(RECEIPT)}), so that a handler knows no
 * step keys and serves any workflow that binds its inputs. A binding is stored under the name: renaming an input is like renaming
 * a step, and runs that are under way keep the old name.
 *
 * @param name unique among the inputs of a step
 * @param type what outputs are decoded to
 * @param <T> the value
 */
public record Input<T>(String name, Type type) {
    /**
     * Checks the name.
     *
     * @param name see the record
     * @param type see the record
     * @throws InvalidRequestException with {@code workflow.invalid_dag_input} when the name is blank, too long or contains control
     *     characters
     */
    public Input {
        Identifier.INPUT_NAME.require(name);
        Objects.requireNonNull(type, "type");
    }

    /**
     * Declares an input.
     *
     * @param name unique among the inputs of a step
     * @param type what outputs are decoded to
     * @param <T> the value
     * @return the declaration
     */
    public static <T> Input<T> of(String name, Class<T> type) {
        return new Input<>(name, type);
    }

    /**
     * Declares an input of a generic type. The caller answers for {@code T} and the type being the same.
     *
     * @param name unique among the inputs of a step
     * @param type what outputs are decoded to, for example a {@code ParameterizedType}
     * @param <T> the value
     * @return the declaration
     */
    public static <T> Input<T> of(String name, Type type) {
        return new Input<>(name, type);
    }

    /**
     * Declares an input that stays JSON.
     *
     * @param name unique among the inputs of a step
     * @return the declaration
     */
    public static Input<Json> json(String name) {
        return of(name, Json.class);
    }
}
