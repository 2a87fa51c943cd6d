package io.runledger.exposed.sql

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File

/** Reads every statement and the code that runs it: each belongs to a package, and their parameters agree. */
class StatementFilesSpec :
    FunSpec({
        val folder = File("src/main/resources/io/runledger/exposed/statement")
        val files = folder.walk().filter { it.extension == "sql" }.sorted().toList()
        val sources = File("src/main/kotlin").walk().filter { it.extension == "kt" }.associateWith { it.readText() }

        fun nameOf(file: File) = file.relativeTo(folder).path.removeSuffix(".sql").replace(File.separatorChar, '/')

        fun usersOf(file: File) = sources.filterValues { "\"${nameOf(file)}\"" in it }

        fun parametersOf(file: File) = NamedParameters.of(
            file.readLines().filterNot { it.trimStart().startsWith("--") }.joinToString("\n"),
        )

        test("every statement lies in a folder, is used, and is used by the package of that name") {
            files.size shouldBeGreaterThan 100

            files.filter { it.parentFile == folder }.shouldBeEmpty()
            files.filter { usersOf(it).isEmpty() }.map(::nameOf).shouldBeEmpty()
            files.filter { file -> usersOf(file).keys.none { ownerOf(it) == file.parentFile.name } }.map(::nameOf).shouldBeEmpty()
        }

        test("every parameter has a name") {
            files.filter { file -> runCatching { parametersOf(file) }.isFailure }.map(::nameOf).shouldBeEmpty()
        }

        /** The code of the packages that use a statement, and of the functions that they import to bind parameters. */
        fun codeFor(file: File): String {
            val own = usersOf(file).keys.flatMap { it.parentFile.listFiles { file -> file.isFile }.orEmpty().toList() }.distinct()
            val imported = own.flatMap { imports.findAll(it.readText()).map { found -> found.groupValues[1] } }.toSet()
            val shared = sources.filter { (source, text) ->
                source !in own &&
                    binding.findAll(text).any { it.groupValues[1] in imported }
            }
            return (own.map { it.readText() } + shared.values).joinToString("\n")
        }

        test("every parameter of a statement is bound by the code that runs it") {
            files.forEach { file ->
                val code = codeFor(file)
                withClue(nameOf(file)) { parametersOf(file).names.filterNot { "\"$it\"" in code }.shouldBeEmpty() }
            }
        }
    })

private val imports = Regex("""(?m)^import io\.runledger\.exposed\.(?:\w+\.)*(\w+)$""")
private val binding = Regex("""(?m)^internal fun Binder\.(\w+)\(""")

/** The package of a source file; the facades in the root package own the folder that bears their subject. */
private fun ownerOf(source: File): String = when (source.nameWithoutExtension) {
    "Definitions" -> "definition"
    "Metrics" -> "metrics"
    "JobLogs" -> "logs"
    "RuntimeConfigs" -> "configs"
    "WorkflowReads", "ListRuns", "ReadGraph", "TraceRows", "SummaryRows" -> "workflow"
    else -> source.parentFile.name
}
