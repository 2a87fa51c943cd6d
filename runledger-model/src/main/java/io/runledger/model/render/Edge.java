package io.runledger.model.render;

import io.runledger.model.state.ReleaseMode;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, by their places among the nodes.
 *
 * @param from what must end first
 * @param to what waits
 * @param mode which endings satisfy it
 */
record Edge(int from, int to, ReleaseMode mode) {
    /** Said at every edge that does not simply wait for success. */
    @Nullable
    String label() {
        return switch (mode) {
            case ON_SUCCESS -> null;
            case ON_TERMINAL -> "on terminal";
            case ON_FAILURE -> "on failure";
        };
    }
}
