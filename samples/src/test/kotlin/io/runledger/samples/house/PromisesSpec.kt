package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File

/** The documentation names the test of each promise. These tests exist under these names. */
class PromisesSpec :
    FunSpec({
        val root = File(System.getProperty("runledger.root"))
        val tests = root.walk()
            .onEnter { it.name !in setOf("target", ".git", "build") }
            .filter { it.extension in setOf("kt", "java") && "/src/test/" in it.invariantSeparatorsPath }
            .groupBy({ it.nameWithoutExtension }, { joined(it.readText()) })
        val pages =
            root.resolve("docs").walk().filter { it.extension == "md" } + listOf("README.md", "SECURITY.md").map(root::resolve)

        test("every specification that the documentation names exists, with the tests that it quotes") {
            val named = pages.flatMap { page -> SPEC.findAll(page.readText()).map { page.name to it } }.toList()

            named.size shouldBeGreaterThan 100
            named.flatMap { (page, match) ->
                val (name, quoted) = match.destructured
                val sources = tests[name].orEmpty()
                val missing = QUOTED.findAll(quoted).map { it.groupValues[1] }.filter { test -> sources.none { test in it } }
                if (sources.isEmpty()) listOf("$page: $name") else missing.map { "$page: $name: \"$it\"" }.toList()
            }.shouldBeEmpty()
        }

        test("every promise on the page of guarantees has tests, and every row of tests has a promise") {
            val promises = PROMISE.findAll(root.resolve("docs/guarantees.md").readText()).map { it.groupValues[1] }.toList()
            val rows = ROW.findAll(root.resolve("docs/guarantees-tests.md").readText()).map { it.groupValues[1] }.toList()

            promises.size shouldBeGreaterThan 50
            rows shouldContainExactlyInAnyOrder promises
        }

        test("the rules of the checker are those on its page, and a spec damages a ledger for each") {
            val statements = root.resolve("runledger-exposed/src/main/resources/io/runledger/exposed/statement")
            val rules = statements.walk().filter { it.isFile && it.name.startsWith("verify_") }
                .flatMap { RULE.findAll(it.readText()).map { rule -> rule.groupValues[1] } }
                .distinct().toList()
            val table = root.resolve("docs/reliability.md").readText().substringAfter("## The checker").substringBefore("\n## ")
            val listed = table.lines().filter { it.startsWith("| `") }
                .flatMap { row -> Regex("`([a-z_.]+)`").findAll(row.split("|")[1]).map { it.groupValues[1] } }

            listed shouldContainExactlyInAnyOrder rules
            val damaged = Regex("""damaged\w+\("([a-z_.]+)"""").findAll(tests.getValue("VerifySpec").single()) +
                QUOTED.findAll(tests.getValue("FlowHistorySpec").single())
            damaged.map { it.groupValues[1] }.toList() shouldContainAll rules
        }
    })

private val SPEC = Regex("""`(\w+(?:Spec|Test))`((?:(?:: |, )"[^"]+")*)""")
private val QUOTED = Regex(""""([^"]+)"""")
private val PROMISE = Regex("""^- \*\*([^*]+)\.\*\* """, RegexOption.MULTILINE)
private val ROW = Regex("""^\| ([^|`]+) \| `\w+(?:Spec|Test)`""", RegexOption.MULTILINE)
private val RULE = Regex("""SELECT\s+'([a-z_]+\.[a-z_]+)'""")

/** A test's name may be written in pieces. */
private fun joined(source: String): String = source.replace(Regex(""""\s*\+\s*""""), "")
