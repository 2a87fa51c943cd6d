package io.runledger.model.workflow;

import io.runledger.model.error.SourceLine;
import java.lang.StackWalker.StackFrame;
import java.util.Set;

/** Finds the source line that declares a step: the nearest caller that is not a builder. */
final class CallSite {
    private static final StackWalker WALKER = StackWalker.getInstance();

    /** The builders of this package, and the builder of the Kotlin DSL that calls them. */
    private static final Set<String> BUILDERS = Set.of(
            CallSite.class.getName(),
            StepsBuilder.class.getName(),
            JobStep.class.getName(),
            GateStep.class.getName(),
            "io.runledger.dsl.StepsScope");

    /** More frames than the builders can add between the caller and this class. */
    private static final int MOST_FRAMES = 10;

    private CallSite() {}

    static SourceLine current() {
        return WALKER.walk(frames -> frames.limit(MOST_FRAMES)
                .filter(frame -> !isBuilder(frame.getClassName()))
                .findFirst()
                .map(CallSite::line)
                .orElse(SourceLine.UNKNOWN));
    }

    private static boolean isBuilder(String name) {
        int nested = name.indexOf('$');
        return BUILDERS.contains(nested < 0 ? name : name.substring(0, nested));
    }

    private static SourceLine line(StackFrame frame) {
        String file = frame.getFileName();
        int line = frame.getLineNumber();
        return file == null || line < 1 ? SourceLine.UNKNOWN : new SourceLine(file, line);
    }
}
