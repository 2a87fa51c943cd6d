package io.runledger.spring

import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient

/** Changes the client that Spring Boot builds. Every bean of this type is called, in the order of its `@Order`. */
public fun interface RunledgerClientCustomizer {
    /** Changes settings of [builder], which already has those of the properties. */
    public fun customize(builder: RunledgerClient.Builder)
}

/** Changes the worker that Spring Boot builds: hooks, triggers, interceptors. Every bean of this type is called, in order. */
public fun interface RunledgerWorkerCustomizer {
    /**
     * Changes parts of [builder], which already has the handlers and the settings of the properties. A call of its `config`
     * replaces all settings.
     */
    public fun customize(builder: RunledgerWorker.Builder)
}
