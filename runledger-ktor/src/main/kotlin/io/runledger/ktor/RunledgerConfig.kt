package io.runledger.ktor

import io.ktor.server.application.Application
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.HandlersScope
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.CurrentTransaction
import io.runledger.exposed.RunledgerClient
import org.jetbrains.exposed.v1.jdbc.Database
import javax.sql.DataSource
import io.runledger.coroutines.handlers as handlersOf

/**
 * The block of `install(Runledger) { … }`. Settings from the application's configuration are already in effect when the block
 * runs, so a setting in the block wins.
 */
public class RunledgerConfig internal constructor(file: FileSettings) {
    private val settings = WorkerConfig.builder().also(file::applyTo)
    private val registries = ArrayList<Handlers>()
    private var migration: ((RunledgerClient) -> Unit)? = if (file.migrate) RunledgerClient::migrate else null
    private val clientSettings = ArrayList<RunledgerClient.Builder.() -> Unit>()
    private val workerParts = ArrayList<RunledgerWorker.Builder.() -> Unit>()

    /** The connection pool of the application. Required. The plugin does not close it. */
    public var dataSource: DataSource? = null

    /**
     * The Exposed database of the application, over the same [dataSource]. Inside its `transaction { }` and
     * `suspendTransaction { }`, the calls of the client join the transaction: a job exists if and only if it commits. Default:
     * none, so that each call has a transaction of its own.
     */
    public var database: Database? = null

    /** The schema of the ledger. Default: the property `schema`, else `runledger`. */
    public var schema: String = file.schema

    /** Whether the worker starts with the application. Default: the property `worker.enabled`, else true. */
    public var isWorkerEnabled: Boolean = file.isWorkerEnabled

    /**
     * Creates or migrates the ledger while the plugin is installed. Default: the property `migrate`, else the plugin only checks
     * that this build can work with the ledger. With [owner], the statements run with its connections, for roles that may change
     * the schema. The pool must be able to provide four connections at once.
     */
    @JvmOverloads
    public fun migrate(owner: DataSource? = null) {
        migration = { client ->
            if (owner == null) client.migrate() else RunledgerClient.builder(owner).schema(schema).build().migrate()
        }
    }

    /**
     * Adds handlers, which the worker of the application runs. Their job types are declared while the plugin is installed. The
     * block may be repeated, and `include(registry)` adds handlers from elsewhere, for example from Java. An application without
     * handlers has no worker: it only enqueues.
     */
    public fun handlers(block: HandlersScope.() -> Unit) {
        registries += handlersOf(block)
    }

    /** Sets what the worker does and how much of it: `worker { maxConcurrency(16) }`. */
    public fun worker(block: WorkerConfig.Builder.() -> Unit) {
        settings.block()
    }

    /** Adds [observer], which receives the events of the worker. */
    public fun observe(observer: WorkerObserver) {
        equip { observe(observer) }
    }

    /** Adds triggers, dead-letter hooks and interceptors to the worker. [handlers] and [worker] set the rest. */
    public fun equip(block: RunledgerWorker.Builder.() -> Unit) {
        workerParts += block
    }

    /** Changes the settings of the client, for example its codec or its size limits. */
    public fun client(block: RunledgerClient.Builder.() -> Unit) {
        clientSettings += block
    }

    internal fun open(application: Application, name: String): InstalledLedger {
        val source = requireNotNull(dataSource) {
            "install($name) has no data source: set `dataSource` in its block to the connection pool of the application."
        }
        val builder = RunledgerClient.builder(source).schema(schema)
        database?.let { builder.joinCurrentTransaction(CurrentTransaction.exposed(it.requireOver(source, name))) }
        clientSettings.forEach { builder.it() }
        val client = builder.build()
        migration?.invoke(client) ?: client.requireCompatibleSchema()
        val handlers = handlersOf { registries.forEach(::include) }
        if (handlers.jobTypes.isNotEmpty()) client.definitions.sync(handlers.jobTypes)
        return InstalledLedger(application, client, workerOf(client, handlers))
    }

    private fun Database.requireOver(source: DataSource, name: String): Database = apply {
        // The addresses may contain a password, so the message does not show them.
        require(url == source.connection.use { it.metaData.url }) {
            "The `database` of install($name) is not the one of its `dataSource`: create it with Database.connect(dataSource)."
        }
    }

    private fun workerOf(client: RunledgerClient, handlers: Handlers): RunledgerWorker? {
        if (!isWorkerEnabled || handlers.jobTypes.isEmpty()) return null
        val builder = RunledgerWorker.builder(client)
        workerParts.forEach { builder.it() }
        return builder.handlers(handlers).config(settings.build()).build()
    }
}
