package io.runledger.samples.house

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import java.io.File

/**
 * A newcomer learns the names that the samples and the first pages import. Members of a type need no import and are found by
 * completion: prefer a member, or a block that builds a request in place, to another type.
 */
class NewcomerNamesSpec :
    FunSpec({
        val sources = listOf("samples/src/main", "samples/newcomer", "docs/getting-started.md", "README.md").map {
            File(repository, it)
        }
            .flatMap { it.walk().onEnter { folder -> folder.name != "target" }.filter(File::isFile) }
        val imported = sources.flatMap { source -> import.findAll(source.readText()).map { it.groupValues[1] } }
            .filterNot { it.startsWith("io.runledger.samples.") }
            .toSortedSet()

        test("the samples and the first pages import at most $MOST_NAMES names") {
            withClue(imported.joinToString("\n", "Use fewer names, or give a reason for a higher number:\n")) {
                imported.size shouldBeLessThanOrEqual MOST_NAMES
            }
        }

        test("no sample hides names behind a wildcard") {
            sources.filter { wildcard.containsMatchIn(it.readText()) }.shouldBeEmpty()
        }
    })

/**
 * Three of them are the plugin for Ktor: `Runledger`, `runledger` and `runledgerHealth`. Five are the console of the demo. Two are
 * what a key of a job means: `Uniqueness` and `ReplacedPart`. Two are in the sample of limits: `per` and `RunningWorker`.
 */
private const val MOST_NAMES = 66

private val import = Regex("""(?m)^import (?:static )?(io\.runledger\.[\w.]+)""")

private val wildcard = Regex("""(?m)^import (?:static )?io\.runledger\.[\w.]*\*""")
