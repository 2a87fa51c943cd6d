package io.runledger.exposed.sql

import java.util.Collections
import java.util.WeakHashMap

/**
 * A statement whose parameters have names, such as `:worker`; a name may occur several times. [text] has a `?` for each
 * occurrence, as the driver expects. Casts (`::text`), array slices (`[:n]`) and quoted texts are left alone.
 */
internal class NamedParameters private constructor(val text: String, private val positions: Map<String, List<Int>>) {
    val names: Set<String> get() = positions.keys

    @Volatile
    private var preceded: Preceded? = null

    /** [text] after [before], a text without parameters. The driver finds the same text sooner than an equal one. */
    fun textAfter(before: String): String = if (before.isEmpty()) {
        text
    } else {
        (preceded?.takeIf { it.before == before } ?: Preceded(before, before + text).also { preceded = it }).whole
    }

    private class Preceded(val before: String, val whole: String)

    /** The positions of [name] in [text], counted from 1. */
    fun positionsOf(name: String): List<Int> =
        checkNotNull(positions[name]) { "The statement has no parameter ':$name', only ${names.joinToString { ":$it" }}." }

    companion object {
        private val parsed = Collections.synchronizedMap(WeakHashMap<String, NamedParameters>())
        private val token = Regex("""'(?:[^']|'')*'|(?<![:\w\[]):([a-z]\w*)|\?""")

        /** Parses a statement once for as long as its text is in use: a ledger that is closed leaves nothing behind. */
        fun of(sql: String): NamedParameters = parsed[sql] ?: parse(sql).also { if (it.names.isNotEmpty()) parsed[sql] = it }

        private fun parse(sql: String): NamedParameters {
            val positions = LinkedHashMap<String, MutableList<Int>>()
            var count = 0
            val text = token.replace(sql) { found ->
                check(found.value != "?") { "A parameter has no name: $sql" }
                val name = found.groupValues[1]
                if (name.isEmpty()) return@replace found.value
                positions.getOrPut(name) { mutableListOf() } += ++count
                "?"
            }
            return NamedParameters(text, positions)
        }
    }
}
