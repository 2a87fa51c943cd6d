package io.runledger.model.error;

import io.runledger.model.id.Text;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The line of source at which something was declared, for messages. It says where, not what: any two lines are equal, so that
 * requests which ask for the same are the same wherever they were written.
 *
 * @param file name of the source file, for example {@code OrderFulfilment.kt}; empty when it is not known
 * @param line the line, counted from 1; 0 when it is not known
 */
public record SourceLine(String file, int line) implements Serializable {
    /** Of whatever was made by a program and not written down, or compiled without line numbers. */
    public static final SourceLine UNKNOWN = new SourceLine("", 0);

    /**
     * Whether there is a line to show.
     *
     * @return false for {@link #UNKNOWN}
     */
    public boolean isKnown() {
        return line > 0;
    }

    /**
     * The line as it follows the name of what was declared there.
     *
     * @return for example {@code " (OrderFulfilment.kt:38)"}, or nothing when the line is not known
     */
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
