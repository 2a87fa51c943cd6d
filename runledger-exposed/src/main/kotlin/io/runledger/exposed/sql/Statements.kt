package io.runledger.exposed.sql

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.signal.Channel
import java.util.concurrent.ConcurrentHashMap

/**
 * The hand-written statements, one `.sql` file each, with a ledger's schema filled in. The text of a statement never changes
 * after that, so the driver's and the server's prepared statements are reused.
 *
 * A statement that others should hear of sends to `{channel}` WHERE `{signals}`, which is false when [signals] are off: the
 * server then plans the sending away.
 */
internal class Statements(private val schema: SchemaName, private val signals: Boolean = true) {
    private val channel = Channel(schema)
    private val texts = ConcurrentHashMap<String, String>()

    /** The same statements, telling nobody. */
    val silent: Statements by lazy { if (signals) Statements(schema, signals = false) else this }

    /** The statement in `statement/[name].sql`. Its comments stay behind: they are for the reader, not for the server. */
    operator fun get(name: String): String = texts.computeIfAbsent(name, ::load)

    /** As [get], but where that skips rows which another transaction holds, this waits for them. */
    fun waiting(name: String): String = texts.computeIfAbsent("$name, waiting") { load(name).replace(" SKIP LOCKED", "") }

    private fun load(name: String): String {
        val file = checkNotNull(Statements::class.java.getResource("/$FOLDER/$name.sql")) { "There is no statement '$name'." }
        return file.readText()
            .lineSequence()
            .filterNot { it.trimStart().startsWith("--") }
            .joinToString("\n")
            .replace("{schema}", schema.quoted)
            .replace("{channel}", channel.literal)
            .replace("{signals}", signals.toString())
            .trim()
    }

    private companion object {
        const val FOLDER = "io/runledger/exposed/statement"
    }
}
