package io.runledger.exposed.sql

import io.runledger.exposed.schema.Channel
import io.runledger.exposed.schema.SchemaName
import java.util.concurrent.ConcurrentHashMap

/**
 * The hand-written statements, one `.sql` file each, with a ledger's schema filled in. The text of a statement never changes
 * after that, so the driver and the server reuse prepared statements.
 *
 * `{fragment/name}` in a statement stands for the text of `statement/fragment/name.sql`: a list or a part that several statements
 * share. A fragment contains no other fragment.
 *
 * A statement that notifies sends to `{channel}` WHERE `{signals}`. If [signals] is off, the condition is false and the
 * planner removes the call.
 */
internal class Statements(private val schema: SchemaName, private val signals: Boolean = true) {
    private val channel = Channel(schema)
    private val texts = ConcurrentHashMap<String, String>()

    /** The same statements without notifications. */
    val silent: Statements by lazy { if (signals) Statements(schema, signals = false) else this }

    /** The statement in `statement/[name].sql`, without its comments. */
    operator fun get(name: String): String = texts.computeIfAbsent(name, ::load)

    /** Like [get], but waits for rows that another transaction has locked instead of skipping them. */
    fun waiting(name: String): String = texts.computeIfAbsent("$name, waiting") { load(name).replace(" SKIP LOCKED", "") }

    private fun load(name: String): String = fragment.replace(read(name)) { read(it.groupValues[1]) }
        .replace("{schema}", schema.quoted)
        .replace("{channel}", channel.literal)
        .replace("{signals}", signals.toString())

    private fun read(name: String): String {
        val file = checkNotNull(Statements::class.java.getResource("/$FOLDER/$name.sql")) { "There is no statement '$name'." }
        return file.readText().lineSequence().filterNot { it.trimStart().startsWith("--") }.joinToString("\n").trim()
    }

    private companion object {
        const val FOLDER = "io/runledger/exposed/statement"
        val fragment = Regex("""\{(fragment/\w+)}""")
    }
}
