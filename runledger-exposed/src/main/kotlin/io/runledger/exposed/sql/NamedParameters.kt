package io.runledger.exposed.sql

import java.util.concurrent.ConcurrentHashMap

/**
 * A statement whose parameters have names, such as `:worker`; a name may occur several times. [text] has a `?` for each
 * occurrence, as the driver expects. Casts (`::text`), array slices (`[:n]`) and quoted texts are left alone.
 */
internal class NamedParameters private constructor(val text: String, private val positions: Map<String, List<Int>>) {
    val names: Set<String> get() = positions.keys

    /** The positions of [name] in [text], counted from 1. */
    fun positionsOf(name: String): List<Int> =
        checkNotNull(positions[name]) { "The statement has no parameter ':$name', only ${names.joinToString { ":$it" }}." }

    companion object {
        private val parsed = ConcurrentHashMap<String, NamedParameters>()
        private val token = Regex("""'(?:[^']|'')*'|(?<![:\w\[]):([a-z]\w*)|\?""")

        /** Parses a statement once. There are few statements, and their texts do not change. */
        fun of(sql: String): NamedParameters = parsed.computeIfAbsent(sql, ::parse)

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
