package io.runledger.coroutines.run;

import io.runledger.model.handler.AsyncJobHandler;
import io.runledger.model.handler.JobHandler;

/** What Java code can do and Kotlin's types rule out. */
final class NullHandlers {
    private NullHandlers() {}

    static <P> JobHandler<P> blocking() {
        return job -> null;
    }

    static <P> AsyncJobHandler<P> async() {
        return job -> null;
    }
}
