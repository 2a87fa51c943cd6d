package io.runledger.ktor

import io.ktor.server.config.ApplicationConfig
import io.ktor.server.config.ApplicationConfigurationException
import io.runledger.coroutines.WorkerConfig
import io.runledger.exposed.schema.SchemaName

/**
 * The settings of a ledger in the application's configuration: the properties below [section]. Every value is checked while the
 * plugin is installed, and a property that does not exist is refused, so that a misspelled name cannot go unnoticed.
 */
internal class FileSettings private constructor(private val section: String, private val values: Map<String, Any>) {
    val schema: String = values["schema"]?.let { use("schema") { SchemaName("$it").text } } ?: SchemaName.DEFAULT.text
    val migrate: Boolean = flag("migrate") ?: false
    val isWorkerEnabled: Boolean = flag("worker.enabled") ?: true

    init {
        val unknown = values.keys.filterNot { it in own || workerProperty(it) != null }
            // A configuration in HOCON contains the system properties of the process, whatever they are for.
            .firstOrNull { System.getProperty("$section.$it") == null }
        if (unknown != null) refuseUnknown(unknown)
    }

    fun applyTo(settings: WorkerConfig.Builder) {
        // In the order of the list, because keepEverything clears the ages that are set before it.
        workerProperties.forEach { property ->
            values.filterKeys { workerProperty(it) == property }.forEach { (name, value) ->
                use(name) { property.set(settings, name.removePrefix("$WORKER${property.name}").removePrefix("."), value) }
            }
        }
    }

    private fun flag(name: String): Boolean? = values[name]?.let { use(name) { it.asFlag() } }

    private fun <T> use(name: String, read: () -> T): T = try {
        read()
    } catch (refused: RuntimeException) {
        throw ApplicationConfigurationException("The property '$section.$name' cannot be used: ${refused.message}", refused)
    }

    private fun refuseUnknown(name: String): Nothing {
        val allowed = (own + workerProperties.map { WORKER + it.name + if (it.isGroup) ".…" else "" }).joinToString()
        throw ApplicationConfigurationException("There is no property '$section.$name'. Below '$section' you can set: $allowed.")
    }

    companion object {
        private const val WORKER = "worker."
        private val own = setOf("schema", "migrate", "worker.enabled")

        fun read(config: ApplicationConfig, section: String): FileSettings {
            val values = section.split('.').fold(config.toMap() as Any?) { node, name -> (node as? Map<*, *>)?.get(name) }
            // The properties of further ledgers are read when these are installed.
            val ownValues = leaves(values).filterKeys { !it.startsWith("ledgers.") || "." in section }
            return FileSettings(section, ownValues)
        }

        private fun workerProperty(name: String): WorkerProperty? = if (!name.startsWith(WORKER)) {
            null
        } else {
            workerProperties.find { name == WORKER + it.name || (it.isGroup && name.startsWith("$WORKER${it.name}.")) }
        }

        /** The values below [node] with their paths, in the order of the file. */
        private fun leaves(node: Any?): Map<String, Any> = when (node) {
            is Map<*, *> -> node.entries.flatMap { (name, child) ->
                leaves(child).entries.map { (path, value) -> (if (path.isEmpty()) "$name" else "$name.$path") to value }
            }.toMap()

            null -> emptyMap()

            else -> mapOf("" to node)
        }
    }
}
