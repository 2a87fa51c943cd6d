package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.string.shouldContain

/** The page promises what `.ci/newcomer` runs: the same build files, the same programs, as short as it says. */
class GettingStartedSpec :
    FunSpec({
        val page = onDisk("docs/getting-started.md")
        val builds = listOf("kotlin", "java").map { onDisk("samples/newcomer/$it/pom.xml") }

        test("the dependencies on the page are those of the newcomer's projects") {
            snippets(page) shouldHaveSize 3
            snippets(page).filter { snippet -> builds.none { dense(snippet) in dense(it) } }.shouldBeEmpty()
        }

        test("the page about Ktor shows the dependencies and the program of the newcomer's service, in fewer than 40 lines") {
            val ktor = onDisk("docs/ktor.md")
            val build = onDisk("samples/newcomer/ktor/pom.xml")
            val program = onDisk("samples/newcomer/ktor/src/main/kotlin/Newcomer.kt")

            snippets(ktor) shouldHaveSize 1
            snippets(ktor).filterNot { dense(it) in dense(build) }.shouldBeEmpty()
            program.lines().size - 1 shouldBeLessThan 40
            ktor shouldContain program.lines().dropWhile { it.startsWith("import ") }.joinToString("\n").trim()
        }

        test("a job and a workflow take fewer than 40 lines, and the page shows all but the imports") {
            listOf("kotlin/src/main/kotlin/Newcomer.kt", "java/src/main/java/Newcomer.java").forEach { file ->
                val program = onDisk("samples/newcomer/$file")

                program.lines().size - 1 shouldBeLessThan 40
                page shouldContain program.lines().dropWhile { it.startsWith("import ") }.joinToString("\n").trim()
            }
        }
    })

private fun snippets(page: String) =
    Regex("```xml\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(page).map { it.groupValues[1] }.toList()

private fun dense(text: String) = text.filterNot { it.isWhitespace() }
