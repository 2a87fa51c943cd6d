package io.runledger.model.error;

import io.runledger.model.text.Text;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The source line of a declaration, for messages. All source lines are equal, so that identical requests are equal
 * regardless of where they are declared.
 *
 * @param file name of the source file, for example {@code OrderFulfilment.kt}; empty if unknown
 * @param line line number from 1; 0 if unknown
 */
public record SourceLine(String file, int line) implements Serializable {
    /** The line of a step that was not declared with a builder, or that was compiled without line numbers. */
    public static final SourceLine UNKNOWN = new SourceLine("", 0);

    public boolean isKnown() {
        return line > 0;
    }

    /** For example {@code " (OrderFulfilment.kt:38)"}; an empty text if the line is unknown. */
    public String inBrackets() {
        return isKnown() ? " (" + this + ")" : "";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourceLine;
    }

    @Override
    public int hashCode() {
        return 0;
    }

    /** For example {@code OrderFulfilment.kt:38}. */
    @Override
    public String toString() {
        return isKnown() ? Text.visible(file) + ":" + line : "unknown";
    }
}
