package io.runledger.model.render;

import io.runledger.model.workflow.WorkflowStepStatus;

/**
 * The style of a status in a diagram.
 *
 * @param label text of the status, so that a diagram does not depend on colors
 * @param fill fill color
 * @param line color of border and text, readable on {@code fill}
 * @param symbol symbol in a tree, one column wide
 * @param ascii ASCII symbol in a tree
 */
record StatusStyle(String label, String fill, String line, char symbol, char ascii) {
    static StatusStyle of(WorkflowStepStatus status) {
        return switch (status) {
            case BLOCKED -> new StatusStyle("blocked", "#f6f8fa", "#57606a", '·', '.');
            case WAITING_FOR_EXTERNAL -> new StatusStyle("waiting", "#fff3c4", "#7a5200", '◇', '?');
            case ENQUEUED -> new StatusStyle("enqueued", "#e7f1fd", "#0b4a8f", '○', 'o');
            case RUNNING -> new StatusStyle("running", "#b6d9ff", "#0a3069", '●', '>');
            case SUCCEEDED -> new StatusStyle("succeeded", "#d3f3da", "#12602a", '✔', '+');
            case FAILED -> new StatusStyle("failed", "#ffd9d6", "#9a1420", '✘', 'x');
            case SKIPPED -> new StatusStyle("skipped", "#f1edf7", "#5b4a78", '»', '~');
            case CANCELED -> new StatusStyle("canceled", "#e4e4e7", "#4b4b55", '⊘', '-');
        };
    }
}
