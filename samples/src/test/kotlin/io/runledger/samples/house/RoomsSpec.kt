package io.runledger.samples.house

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File

/** The packages of the library's modules: none depends on itself through others, and none is too large to find a file in. */
class RoomsSpec :
    FunSpec({
        val modules = repository.listFiles { file -> file.name.startsWith("runledger-") && File(file, "src/main").isDirectory }

        modules.orEmpty().sorted().forEach { module ->
            val sources = File(module, "src/main").walk().filter { it.extension == "kt" || it.extension == "java" }
                .map { Source(it) }.toList()

            test("no package of ${module.name} is in a cycle") {
                sources.size shouldBeGreaterThan 0

                withClue(edgesOf(sources).joinToString("\n")) { cycles(sources).shouldBeEmpty() }
            }

            test("no package of ${module.name} has more than 30 files") {
                sources.groupingBy { it.packageName }.eachCount().filterValues { it > MOST_FILES }.entries.shouldBeEmpty()
            }
        }
    })

private const val MOST_FILES = 30

private class Source(val file: File) {
    private val text = file.readText()
    val packageName: String = checkNotNull(declared.find(text)) { "$file has no package" }.groupValues[1]

    /** The full names that the file mentions: imports, and names written out in its code. */
    val names: Set<String> = named.findAll(codeOf(text)).map { it.value }.toSet() - packageName

    private companion object {
        val declared = Regex("""(?m)^package ([\w.]+)""")
        val named = Regex("""\bio\.runledger(\.\w+)+""")
        val noCode = Regex("""/\*.*?\*/|//[^\n]*|"[^"\n]*"""", RegexOption.DOT_MATCHES_ALL)

        fun codeOf(text: String) = noCode.replace(text, "").replace(declared, "")
    }
}

private fun dependencies(sources: List<Source>): Map<String, Set<String>> {
    val packages = sources.map { it.packageName }.toSet()
    fun packageOf(name: String) = generateSequence(name) { it.substringBeforeLast('.', "").ifEmpty { null } }.find {
        it in
            packages
    }
    return sources.groupBy { it.packageName }
        .mapValues { (own, files) -> files.flatMap { it.names }.mapNotNull(::packageOf).toSet() - own }
}

/** The packages from which a path leads back to themselves. */
private fun cycles(sources: List<Source>): List<String> {
    val direct = dependencies(sources)
    fun reached(from: String): Set<String> {
        val seen = mutableSetOf<String>()
        val open = ArrayDeque(direct.getValue(from))
        while (open.isNotEmpty()) open.removeFirst().let { if (seen.add(it)) open += direct.getValue(it) }
        return seen
    }
    return direct.keys.filter { it in reached(it) }.sorted()
}

private fun edgesOf(sources: List<Source>): List<String> {
    val inCycle = cycles(sources).toSet()
    return dependencies(sources).filterKeys { it in inCycle }.map { (from, to) -> "$from -> ${to.filter { it in inCycle }}" }
}
