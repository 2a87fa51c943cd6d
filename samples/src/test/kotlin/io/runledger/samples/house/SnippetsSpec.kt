package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File

class SnippetsSpec :
    FunSpec({
        val root = File(System.getProperty("runledger.root"))
        val pages = listOf(root.resolve("README.md")) + root.resolve("docs").walk().filter { it.extension == "md" }
        val sources = root.walk()
            .onEnter { it.name !in setOf("target", ".git", "build") }
            .filter { it.extension in setOf("kt", "java") }
            .map { normalised(it.readText()) }
            .toList()

        test("every Kotlin and Java snippet in the documentation stands in a source that is compiled") {
            val snippets = pages.flatMap { page -> snippetsOf(page.readText()).map { page.name to it } }

            snippets.size shouldBeGreaterThan 3
            snippets.filter { (_, snippet) ->
                sources.none { normalised(snippet) in it }
            }.map { (page, snippet) -> "$page:\n$snippet" }
                .shouldBeEmpty()
        }

        test("every link to a file in the documentation leads to one") {
            val dead = pages.flatMap { page ->
                Regex("""]\(([^)#:]+)(#[^)]*)?\)""").findAll(page.readText()).map { it.groupValues[1] }
                    .filterNot { page.parentFile.resolve(it).exists() }
                    .map { "${page.name}: $it" }
            }

            dead.shouldBeEmpty()
        }
    })

private fun snippetsOf(page: String): List<String> =
    Regex("```(?:kotlin|java)\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(page).map { it.groupValues[1] }.toList()

/** White space is not compared, because the formatter changes it. */
private fun normalised(text: String): String = text.filterNot { it.isWhitespace() }
