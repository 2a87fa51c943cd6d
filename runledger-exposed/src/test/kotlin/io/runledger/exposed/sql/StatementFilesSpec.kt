package io.runledger.exposed.sql

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.runledger.exposed.freshLedger
import io.runledger.exposed.schema.SchemaName
import io.runledger.model.ledger.Scope
import java.io.File

/**
 * Reads every statement and the code that runs it: each belongs to a package, and their parameters agree. A fragment belongs to the
 * statements that include it, and a list that several statements need stands in its fragment only.
 */
class StatementFilesSpec :
    FunSpec({
        val folder = File("src/main/resources/io/runledger/exposed/statement")
        val (fragments, files) = folder.walk().filter { it.extension == "sql" }.sorted().partition {
            it.parentFile.name ==
                "fragment"
        }
        val sources = File("src/main/kotlin").walk().filter { it.extension == "kt" }.associateWith { it.readText() }
        val statements = Statements(SchemaName.DEFAULT)

        fun nameOf(file: File) = file.relativeTo(folder).path.removeSuffix(".sql").replace(File.separatorChar, '/')

        fun usersOf(file: File) = sources.filterValues { "\"${nameOf(file)}\"" in it }

        fun textOf(file: File) = file.readLines().filterNot { it.trimStart().startsWith("--") }.joinToString("\n")

        fun parametersOf(file: File) = NamedParameters.of(statements[nameOf(file)])

        fun fragmentsOf(file: File) = Regex("""\{(fragment[^}]*)}""").findAll(textOf(file)).map { it.groupValues[1] }.toList()

        test("every statement lies in a folder, is used, and is used by the package of that name") {
            files.size shouldBeGreaterThan 100

            files.filter { it.parentFile == folder }.shouldBeEmpty()
            files.filter { usersOf(it).isEmpty() }.map(::nameOf).shouldBeEmpty()
            files.filter { file -> usersOf(file).keys.none { ownerOf(it) == file.parentFile.name } }.map(::nameOf).shouldBeEmpty()
        }

        test("every fragment that a statement includes exists") {
            (files.flatMap(::fragmentsOf) - fragments.map(::nameOf).toSet()).shouldBeEmpty()
        }

        test("every fragment is included by a statement") {
            (fragments.map(::nameOf) - files.flatMap(::fragmentsOf).toSet()).shouldBeEmpty()
        }

        test("a fragment begins with a comment about its use, includes no other fragment, and is not run by itself") {
            fragments.filterNot { it.readText().startsWith("-- ") }.map(::nameOf).shouldBeEmpty()
            fragments.filter { fragmentsOf(it).isNotEmpty() }.map(::nameOf).shouldBeEmpty()
            fragments.filter { usersOf(it).isNotEmpty() }.map(::nameOf).shouldBeEmpty()
        }

        mapOf(
            "INSERT INTO {schema}.job_queue" to "fragment/insert_job",
            "INSERT INTO {schema}.job_attempts" to "fragment/insert_attempt",
            "INSERT INTO {schema}.job_dead_letters" to "fragment/insert_dead_letters",
            "INSERT INTO {schema}.job_dead_letter_deliveries" to "fragment/insert_dead_letters",
            "lease_id = NULL" to "fragment/clear_lease",
        ).forEach { (text, owner) ->
            test("'$text' stands in $owner only") {
                val found = (files + fragments).filter { Regex(Regex.escape(text) + """\b""").containsMatchIn(textOf(it)) }

                found.map(::nameOf) shouldContainExactly listOf(owner)
            }
        }

        // A misspelled optional column would not be an error: the fragment would take the value that stands for an absent column.
        mapOf("fragment/insert_job" to "new_job", "fragment/insert_attempt" to "ended_attempt").forEach { (fragment, relation) ->
            test("$fragment reads every column of $relation") {
                val insert = statements[fragment]
                val read = insert.substringAfter("LATERAL").substringBefore("FROM $relation").split(Regex("""\W+""")).toSet()
                val including = files.filter { fragment in fragmentsOf(it) }
                including.size shouldBeGreaterThan 5

                freshLedger().dataSource.connection.use { connection ->
                    including.forEach { file ->
                        val before = statements[nameOf(file)].substringBefore(insert).trimEnd()
                        val ctes = if (before.endsWith("AS (")) before.substringBeforeLast("), ") + ")" else before
                        val sql = NamedParameters.of("$ctes SELECT * FROM $relation".inScope(Scope.everything())).text
                        val columns = connection.prepareStatement(sql).use { statement ->
                            (1..statement.metaData.columnCount).map(statement.metaData::getColumnName)
                        }
                        withClue(nameOf(file)) { (columns - read).shouldBeEmpty() }
                    }
                }
            }
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
