package io.runledger.exposed.sql

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.File

/** Values reach the server as parameters. The only texts that are inserted into statements are listed here. */
class ParametersSpec :
    FunSpec({
        val sources = File("src/main/kotlin").walk().filter { it.extension == "kt" }.toList()

        /** A checked and quoted name, a constant of the library, or the enum constants of a status. */
        val harmless = setOf(
            "\${schema.quoted}", "\${channel.quoted}", "\${channel.literal}", "\$isolation", "\$word",
            "\$alias", "\$column", "\${place.groupValues[1]}", "\${statuses.single().wire()}", "\${bounds.within(it)}",
            // The parts of an index, and the place of a type among the parameters.
            "\$type", "\$paused", "\$delayed", "\$flow", "\$lane",
        )

        fun sqlIn(source: File): List<String> = literal.findAll(source.readText()).map { it.value }
            .filter { statement.containsMatchIn(it) || condition.containsMatchIn(it) }.toList()

        test("no value is written into the text of a statement") {
            val found = sources.flatMap(::sqlIn).flatMap { text -> interpolation.findAll(text).map { it.value } }

            found.size shouldBeGreaterThan 5
            found.filterNot { it in harmless || it.startsWith("\${schema.qualify(") }.shouldBeEmpty()
        }

        test("statements have no places but the known ones") {
            val places = File("src/main/resources/io/runledger/exposed/statement").walk().filter { it.isFile }
                .flatMap { place.findAll(it.readText()).map { found -> found.value } }.toSet()

            (
                listOf("{schema}", "{signals}", "{channel}", "{filters}", "{types}", "{selection}", "{range}", "{order}", "{candidates}") + "admqrs".map {
                    "{scope $it}"
                }
                ) shouldContainAll
                places.filterNot { it.startsWith("{fragment/") }
        }
    })

private val literal = Regex(""""(?:[^"\\\n]|\\.)*"""")
private val statement = Regex("""^"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|SET|LISTEN|UNLISTEN|CREATE|ALTER|DROP|GRANT|LOCK)\b""")
private val condition = Regex("""(= [?:]|= '|IN \(|>= [?:]|< [?:])""")
private val interpolation = Regex("""\$\{[^}]*}|\$\w+""")
private val place = Regex("""\{[a-z_/]+( [a-z]+)?}""")
