package io.runledger.model.render;

import io.runledger.model.state.ReleaseMode;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, by their places among the nodes.
 *
 * @param from what must end first
 * @param to what waits
 * @param mode which endings satisfy it
 * @param inputName what the output of {@code from} is to {@code to}, if it uses it
 */
record Edge(int from, int to, ReleaseMode mode, @Nullable String inputName) {
    /**
     * Said at every edge that does not simply wait for success: the condition, the input, or both. {@code shown} makes the input's
     * name fit for the picture.
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
