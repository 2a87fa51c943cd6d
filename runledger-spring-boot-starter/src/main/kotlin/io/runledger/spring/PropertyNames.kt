package io.runledger.spring

/** The names of the properties, from the records that they are bound to. */
internal object PropertyNames {
    private val all: List<String> = names(RunledgerProperties::class.java, RunledgerProperties.PREFIX)

    /** The names of the properties in a group such as `runledger.worker`, without the group. */
    fun below(group: String): List<String> =
        all.filter { it.startsWith("$group.") }.map { it.removePrefix("$group.").substringBefore('.') }.distinct()

    /** The property that [name] probably means, or null if none is similar. */
    fun closest(name: String): String? =
        all.map { it to distance(name, it) }.minBy { it.second }.takeIf { it.second <= MOST_CHANGES }?.first

    private fun names(type: Class<*>, prefix: String): List<String> = type.recordComponents.flatMap { component ->
        val name = "$prefix." + component.name.replace(Regex("[A-Z]")) { "-" + it.value.lowercase() }
        if (component.type.isRecord) names(component.type, name) else listOf(name)
    }

    /** How many characters must be inserted, removed or replaced to make [to] of [from]. */
    private fun distance(from: String, to: String): Int = from.fold((0..to.length).toList()) { above, char ->
        to.foldIndexed(listOf(above[0] + 1)) { at, row, other ->
            row + minOf(row[at] + 1, above[at + 1] + 1, above[at] + if (char == other) 0 else 1)
        }
    }.last()

    private const val MOST_CHANGES = 3
}
