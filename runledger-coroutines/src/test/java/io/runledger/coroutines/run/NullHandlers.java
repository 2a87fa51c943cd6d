package io.runledger.coroutines.run;

import io.runledger.model.handler.AsyncJobHandler;
import io.runledger.model.handler.JobHandler;

/** Calls that Java code can make and Kotlin's types exclude. */
final class NullHandlers {
    private NullHandlers() {}

    static <P> JobHandler<P> blocking() {
        return job -> null;
    }

    static <P> AsyncJobHandler<P> async() {
        return job -> null;
    }
}
