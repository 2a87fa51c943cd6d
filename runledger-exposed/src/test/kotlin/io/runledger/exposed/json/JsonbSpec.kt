package io.runledger.exposed.json

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.Arb
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.arbitrary.take
import io.runledger.exposed.TestLedger
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.sql.StoredJson
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import java.sql.SQLException

class JsonbSpec :
    FunSpec({
        /** The texts as `jsonb`, in one statement. */
        fun TestLedger.stored(texts: List<String>): List<String> = database.connect().use { connection ->
            val sql = "SELECT t.json::jsonb::text FROM unnest(?::text[]) WITH ORDINALITY AS t (json, place) ORDER BY t.place"
            connection.prepareStatement(sql).use { statement ->
                statement.setArray(1, connection.createArrayOf("text", texts.toTypedArray()))
                statement.executeQuery().use { rows -> buildList { while (rows.next()) add(rows.getString(1)) } }
            }
        }

        test("generated JSON is accepted by both sides and reads back equal by meaning") {
            val ledger = freshLedger()
            val documents = jsonTexts.take(2_000, RandomSource.seeded(20_260_329)).toList()

            documents.chunked(500).forEach { batch ->
                batch.zip(ledger.stored(batch)).forEach { (written, stored) ->
                    withClue(written) { (meaning(StoredJson.read(stored).text) == meaning(Json(written).text)) shouldBe true }
                }
            }
        }

        test("documents at the limits are stored and read back") {
            val ledger = freshLedger()
            val documents = listOf(
                "1e9999", "12e9999", "-1234567890e9999", "1e-9999", "12.5e-9999", "9".repeat(10_000), "0." + "7".repeat(9_990),
                "-0", "-0.0", "0e0", "1E+2", "[12e9999, \"12e9999\", -1e-9999]",
                "[".repeat(512) + "]".repeat(512), "{\"a\":".repeat(511) + "1" + "}".repeat(511),
                "\"" + "x".repeat(
                    1_000_000,
                ) + "\"",
                "{\"a\":1,\"a\":2}", " \t\r\n[ ] ", "\"\\ud83d\\ude00 \\u007f \\\\ \\/ \\\"\"", "\"\uFFFF\"",
            )

            documents.zip(ledger.stored(documents)).forEach { (written, stored) ->
                withClue(written.take(50)) {
                    (meaning(StoredJson.read(stored).text) == meaning(Json(written).text)) shouldBe true
                }
            }
        }

        test("what the model refuses to store PostgreSQL refuses, too") {
            val ledger = freshLedger()
            val hostile = listOf(
                """"\u0000"""", """"a\u0000b"""", """{"\u0000":1}""", "\"\u0000\"", "\u0000",
                """"\ud800"""", """"\udc00"""", """"\ud800x"""", """"\ud800\ud800"""",
                "", " ", "[", "]", "{", "{]", "[1,]", "[1 2]", "1 2", "[] []",
                """{"a":1,}""", """{"a"}""", """{"a" 1}""", "{a:1}", "{'a':1}", "{1:2}", "'a'",
                "01", "+1", "1.", ".5", "-", "1e", "1e+", "0x1", "NaN", "Infinity",
                "tru", "nul", "TRUE", "undefined", "// x\n1", "/* x */ 1", "\uFEFF1", "\u00A01",
                "\"", "\"a", """"\x"""", """"\u12"""", """"\u12g4"""", "\"a\nb\"", "\"\u0001\"",
            )

            for (text in hostile) {
                withClue(text) {
                    shouldThrow<InvalidRequestException> { Json(text) }
                    shouldThrow<SQLException> { ledger.stored(listOf(text)) }
                }
            }
        }

        test("half a surrogate pair, which the driver would change without a word, is refused by the model") {
            val ledger = freshLedger()

            for (text in listOf("\"\uD800\"", "\"\uDC00\uD800\"")) {
                ledger.stored(listOf(text)).single() shouldNotBe text
                shouldThrow<InvalidRequestException> { Json(text) }
            }
        }

        test("a document beyond the limits, stored by hand, fails with a code of its own and not as a bad request") {
            val ledger = freshLedger()

            val deep = ledger.stored(listOf("[".repeat(600) + "]".repeat(600))).single()

            shouldRefuse(ErrorCode.DB_QUERY_FAILED) { StoredJson.read(deep) }.message shouldContain "exceeds the library's limits"
        }
    })

private val jsonTexts: Arb<String> = arbitrary { JsonTexts(it.random).value(depth = 0) }
