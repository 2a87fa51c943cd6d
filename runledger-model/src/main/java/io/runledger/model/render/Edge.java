package io.runledger.model.render;

import io.runledger.model.workflow.ReleaseMode;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A dependency between two nodes, by their indexes.
 *
 * @param from index of the prerequisite
 * @param to index of the dependent
 * @param inputName name of the input of {@code to} that is bound to the output of {@code from}, if any
 */
record Edge(int from, int to, ReleaseMode mode, @Nullable String inputName) {
    /**
     * The label of an edge with another mode than success, with an input, or with both. {@code shown} escapes the input
     * name.
     */
    @Nullable
    String label(UnaryOperator<String> shown) {
        String condition = condition();
        if (inputName == null) {
            return condition;
        }
        String input = shown.apply(inputName);
        return condition == null ? input : condition + ", " + input;
    }

    private @Nullable String condition() {
        return switch (mode) {
            case ON_SUCCESS -> null;
            case ON_TERMINAL -> "on terminal";
            case ON_FAILURE -> "on failure";
        };
    }
}
