package io.runledger.model.error

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.repositoryFile

/** A row of docs/errors.md. */
private data class Entry(val code: String, val category: String, val meaning: String, val action: String)

class ErrorPageSpec :
    FunSpec({
        val entries =
            repositoryFile("docs/errors.md").lines().filter { it.startsWith("| `") }.map { row ->
                val cells = row.removePrefix("|").removeSuffix("|").split("|").map { it.trim() }
                cells.size shouldBe 4
                Entry(cells[0].trim('`'), cells[1], cells[2], cells[3])
            }

        test("the page lists every code once, in the order of the enum, and nothing else") {
            entries.map { it.code } shouldContainExactly ErrorCode.entries.map { it.wire() }
        }

        test("the page tells category, transience and meaning as the code does") {
            entries.map { it.copy(action = "") } shouldContainExactly
                ErrorCode.entries.map {
                    Entry(it.wire(), "${it.category()}${if (it.isTransient) ", transient" else ""}", it.message(), "")
                }
        }

        test("the page says what to do about every code in a sentence") {
            entries.filterNot { Regex("[A-Z].{10,}\\.").matches(it.action) }.shouldBeEmpty()
        }
    })
