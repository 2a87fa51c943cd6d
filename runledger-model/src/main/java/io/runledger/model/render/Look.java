package io.runledger.model.render;

import io.runledger.model.state.WorkflowStepStatus;

/**
 * How a status looks.
 *
 * @param word said of the step, for those who do not see colours
 * @param fill colour of the box
 * @param line colour of its border and text, readable on {@code fill}
 * @param symbol mark in a tree, one column wide
 * @param ascii the same mark for terminals that know no other
 */
record Look(String word, String fill, String line, char symbol, char ascii) {
    static Look of(WorkflowStepStatus status) {
        return switch (status) {
            case BLOCKED -> new Look("blocked", "#f6f8fa", "#57606a", '·', '.');
            case WAITING_FOR_EXTERNAL -> new Look("waiting", "#fff3c4", "#7a5200", '◇', '?');
            case ENQUEUED -> new Look("enqueued", "#e7f1fd", "#0b4a8f", '○', 'o');
            case RUNNING -> new Look("running", "#b6d9ff", "#0a3069", '●', '>');
            case SUCCEEDED -> new Look("succeeded", "#d3f3da", "#12602a", '✔', '+');
            case FAILED -> new Look("failed", "#ffd9d6", "#9a1420", '✘', 'x');
            case SKIPPED -> new Look("skipped", "#f1edf7", "#5b4a78", '»', '~');
            case CANCELED -> new Look("canceled", "#e4e4e7", "#4b4b55", '⊘', '-');
        };
    }
}
