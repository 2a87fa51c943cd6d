package io.runledger.model.run;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * Whether running code should stop. Once requested it stays requested, with the first reason. Safe for use by any thread, and
 * worth handing to code that knows nothing of jobs.
 */
public interface Cancellation {
    /** Why running code should stop. */
    enum Reason {
        /** Somebody canceled the job or its run. */
        CANCELED,
        /** The attempt ran past its timeout. */
        TIMEOUT,
        /** Another worker may own the job by now. */
        LEASE_LOST,
        /** The worker shuts down and its grace period is over; the attempt is given back unspent. */
        SHUTDOWN
    }

    /**
     * Why to stop, if at all.
     *
     * @return the first reason, or empty while the work is wanted
     */
    Optional<Reason> reason();

    /**
     * Calls back when stopping is requested: at once, on this thread, when that has happened already; otherwise once, on a
     * thread of the worker, which it must not block. What it throws is logged and ignored.
     *
     * @param action what stops the work, for example closing a socket or canceling a statement
     * @return closes the hook, so that it is not called any more; closing twice is harmless
     */
    Hook onRequest(Consumer<? super Reason> action);

    /**
     * Whether to stop.
     *
     * @return true once stopping was requested
     */
    default boolean isRequested() {
        return reason().isPresent();
    }

    /**
     * Leaves the work when stopping was requested.
     *
     * @throws CancellationException naming the reason
     */
    default void throwIfRequested() {
        reason().ifPresent(reason -> {
            throw new CancellationException("The job should stop: " + reason + ".");
        });
    }

    /** A registered callback; for use in try-with-resources. */
    interface Hook extends AutoCloseable {
        /** Takes the callback back. Does not wait for one that is running. */
        @Override
        void close();
    }
}
