package io.runledger.model.handler;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * Signals that running code should stop. A request is final and keeps its first reason. Thread-safe. Pass it to code
 * that does not depend on the job API.
 */
public interface Cancellation {
    /** The reason of a request to stop. */
    enum Reason {
        /** The job or its run was canceled. */
        CANCELED,
        /** The attempt exceeded its timeout. */
        TIMEOUT,
        /** The lease was lost; another worker may hold the job. */
        LEASE_LOST,
        /** The worker shuts down and its grace period has elapsed. The attempt is released and does not count. */
        SHUTDOWN
    }

    /** The first reason, or empty if no stop was requested. */
    Optional<Reason> reason();

    /**
     * Registers a callback. If a stop was already requested, the callback runs immediately on the calling thread.
     * Otherwise it runs once on a thread of the worker and must not block. Exceptions of the callback are logged and
     * ignored.
     *
     * @param action stops the work, for example closes a socket or cancels a statement
     * @return closing it removes the callback; closing it again has no effect
     */
    Hook onRequest(Consumer<? super Reason> action);

    default boolean isRequested() {
        return reason().isPresent();
    }

    /**
     * Throws if a stop was requested.
     *
     * @throws CancellationException with the reason
     */
    default void throwIfRequested() {
        reason().ifPresent(reason -> {
            throw new CancellationException("A stop of the job was requested: " + reason + ".");
        });
    }

    /** A registered callback; for use in try-with-resources. */
    interface Hook extends AutoCloseable {
        /** Removes the callback. Does not wait for a running callback. */
        @Override
        void close();
    }
}
