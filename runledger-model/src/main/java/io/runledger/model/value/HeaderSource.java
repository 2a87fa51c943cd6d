package io.runledger.model.value;

import java.util.Map;
import java.util.Objects;

/**
 * Adds headers to everything that a client enqueues, for example the context of a trace, a correlation id or the locale
 * of the current request. A header that the request has itself is kept.
 *
 * <p>The client calls it on the thread of the caller, before it writes: once for each job, run and schedule, for each
 * fire of a schedule, and for each completion of a gate. It must be fast and safe for use by many threads. If it
 * throws, the call of the client is refused with {@code headers.source_failed} and writes nothing. A source whose
 * headers are optional catches its own exceptions.
 */
@FunctionalInterface
public interface HeaderSource {
    /** @return headers to add; an empty map adds none */
    Map<String, String> headers(Target target);

    /**
     * What the headers are for.
     *
     * @param name the job type, the workflow type, the name of the schedule, or the key of the gate
     */
    record Target(Kind kind, String name) {
        public Target {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
        }
    }

    /** The kind of a {@link Target}. */
    enum Kind {
        /** A job. */
        JOB,
        /** A workflow run. Each job of its steps has the headers of the run. */
        RUN,
        /** A schedule that is saved. Each job or run that it starts later has its headers. */
        SCHEDULE,
        /**
         * A fire of a schedule, which starts a job or a run. The headers are added to those of the schedule. A worker calls
         * its client's source for it, on a thread of the worker. If the source throws, the fire is deferred and tried again.
         */
        FIRE,
        /**
         * The completion of a gate. Its headers go to the jobs that the completion releases, unless their run or step
         * has a header of the same name.
         */
        GATE
    }
}
