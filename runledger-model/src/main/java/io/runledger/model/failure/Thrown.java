package io.runledger.model.failure;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Converts exceptions of handlers to failures. Methods of an exception may be overridden by user code, so their results
 * are not trusted.
 */
final class Thrown {
    private static final int MAX_WRAPPERS = 16;

    /** Errors in the calls of a handler to the library. A retry would fail in the same way. */
    private static final Set<ErrorCode> OWN_MISTAKES = Collections.unmodifiableSet(EnumSet.of(
            ErrorCode.INVALID_DELAY,
            ErrorCode.INVALID_RETRY_TIMING,
            ErrorCode.INVALID_CONTINUATION_DELAY,
            ErrorCode.INVALID_PROGRESS,
            ErrorCode.INVALID_COMPLETION_PROGRESS,
            ErrorCode.INVALID_STAGE,
            ErrorCode.INVALID_CHECKPOINT,
            ErrorCode.INVALID_OUTPUT,
            ErrorCode.INVALID_CONTEXT,
            ErrorCode.OUTPUT_TOO_LARGE,
            ErrorCode.CHECKPOINT_TOO_LARGE,
            ErrorCode.CONTEXT_TOO_LARGE,
            ErrorCode.SETTLED_MACHINE,
            ErrorCode.INPUT_UNAVAILABLE));

    private Thrown() {}

    static JobFailure failure(Throwable thrown) {
        Throwable real = unwrapped(thrown);
        String message = Causes.story(real);
        List<String> types = types(real);
        if (real instanceof Error) {
            return new JobFailure(FailureKind.PANICKED, ErrorCode.HANDLER_PANIC.wire(), message, null, types);
        }
        if (real instanceof InvalidRequestException invalid && OWN_MISTAKES.contains(invalid.code())) {
            return new JobFailure(FailureKind.TERMINAL, invalid.code().wire(), message, null, types);
        }
        return new JobFailure(FailureKind.RETRYABLE, ErrorCode.HANDLER_FAILED.wire(), message, null, types);
    }

    @SuppressWarnings("ConstantValue") // a classifier of the application may return null
    static JobFailure failure(Throwable thrown, FailureClassifier classifier) {
        JobFailure plain = failure(thrown);
        try {
            JobFailure classified = classifier.classify(unwrapped(thrown), plain);
            return classified == null ? plain : classified;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError broken) {
            return plain;
        }
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable at = thrown;
        for (int depth = 0; depth < MAX_WRAPPERS; depth++) {
            Throwable cause =
                    at instanceof CompletionException || at instanceof ExecutionException ? causeOf(at) : null;
            if (cause == null) {
                return at;
            }
            at = cause;
        }
        return thrown;
    }

    private static List<String> types(Throwable thrown) {
        List<String> names = new ArrayList<>();
        for (Class<?> type = thrown.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            names.add(type.getName());
        }
        return names;
    }

    static @Nullable Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable broken) {
            return null;
        }
    }
}
