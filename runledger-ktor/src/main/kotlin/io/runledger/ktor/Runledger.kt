package io.runledger.ktor

import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.BaseApplicationPlugin
import io.ktor.server.application.plugin
import io.ktor.util.AttributeKey
import io.runledger.exposed.RunledgerClient

/**
 * The Ktor plugin. It gives the application a ledger, and a worker that starts and stops with the application.
 *
 * `install(Runledger) { dataSource = pool; migrate(); handlers { on(greet) { job -> "Hello, ${job.payload().name}!" } } }`
 *
 * The plugin migrates or checks the ledger and declares the handled job types while it is installed. The worker starts when the
 * application has started. It stops when the application stops: it claims no more jobs, lets the running ones continue for its
 * `shutdownGrace`, and has ended before `ApplicationStopped` is raised. Close the data source in `ApplicationStopped`.
 */
public object Runledger : LedgerPlugin(null) {
    /**
     * The plugin for a further ledger in the same application: `install(Runledger("audit")) { … }`, then
     * `application.runledger("audit")`. It reads the section `runledger.ledgers.audit` of the configuration. The name consists of
     * letters, digits, hyphens and underscores.
     */
    public operator fun invoke(name: String): LedgerPlugin = LedgerPlugin(name)
}

/** The plugin of one ledger; see [Runledger]. */
public open class LedgerPlugin internal constructor(private val name: String?) :
    BaseApplicationPlugin<Application, RunledgerConfig, InstalledLedger> {
    init {
        require(name == null || plain.matches(name)) {
            "The name of a ledger is '$name': use letters, digits, hyphens and underscores."
        }
    }

    override val key: AttributeKey<InstalledLedger> = AttributeKey(if (name == null) "Runledger" else "Runledger($name)")

    override fun install(pipeline: Application, configure: RunledgerConfig.() -> Unit): InstalledLedger {
        val section = if (name == null) "runledger" else "runledger.ledgers.$name"
        val config = RunledgerConfig(FileSettings.read(pipeline.environment.config, section)).apply(configure)
        return config.open(pipeline, key.name)
    }

    private companion object {
        val plain = Regex("[A-Za-z0-9_-]+")
    }
}

/** The ledger of the application. Fails if the plugin is not installed. */
public val Application.runledger: RunledgerClient get() = plugin(Runledger).client

/** The ledger that was installed with `Runledger(name)`. */
public fun Application.runledger(name: String): RunledgerClient = plugin(Runledger(name)).client

/** The ledger of the application that handles the call. */
public val ApplicationCall.runledger: RunledgerClient get() = application.runledger

/** The ledger that was installed with `Runledger(name)` in the application that handles the call. */
public fun ApplicationCall.runledger(name: String): RunledgerClient = application.runledger(name)
