package io.runledger.exposed.workflow

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.json.storedForm
import io.runledger.model.condition.Condition
import io.runledger.model.condition.ValuePath
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.math.BigDecimal

private fun at(vararg path: String): ValuePath = Condition.context(*path)

/** The result of each comparison in the database, value by value. The client must give the same result before a run is written. */
class ComparisonsSpec :
    FunSpec({
        val flow = flow()
        val run = flow.start {
            context(
                Json.of(
                    """{"n": 1.0, "big": 123456789012345678901234567890.5, "text": "Zebra", "umlaut": "ähre", "yes": true,
                    "no": null, "list": [1, "a", null, {"k": 1}, [2]], "none": [], "empty": "",
                    "object": {"k": {"deep": ["x", "y"]}, "null": null}}""",
                ),
            )
            work("a")
        }

        fun holdsBefore(condition: Condition): Boolean =
            ConditionEvaluator(flow.client.workflows.get(Scope.everything(), run).context(), emptySet()).holds(condition)

        fun holds(condition: Condition): Boolean = flow.ledger.rows(
            "SELECT runledger.workflow_condition_holds('$run', '${condition.storedForm().text().replace("'", "''")}')",
        ).single() == "t"

        fun truth(what: String, vararg conditions: Pair<Condition, Boolean>) = test(what) {
            conditions.forEach { (condition, expected) ->
                withClue(condition) {
                    listOf(holds(condition), holdsBefore(condition)) shouldBe listOf(expected, expected)
                }
            }
        }

        truth(
            "equals compares any two values of one type, numbers by what they are worth",
            at("n").equalTo(1) to true,
            at("n").equalTo(1.00) to true,
            at("n").equalTo("1.0") to false,
            at("big").equalTo(BigDecimal("123456789012345678901234567890.5")) to true,
            at("big").equalTo(BigDecimal("123456789012345678901234567890.4")) to false,
            at("text").equalTo("Zebra") to true,
            at("text").equalTo("zebra") to false,
            at("yes").equalTo(true) to true,
            at("yes").equalTo("true") to false,
            at("no").equalTo(null) to true,
            at("missing").equalTo(null) to false,
            at("empty").equalTo("") to true,
            at("object", "k", "deep", "1").equalTo("y") to true,
            at("object", "k", "deep", "2").equalTo("y") to false,
            at("text", "k").equalTo("Zebra") to false,
        )
        truth(
            "not equals is true for another value and for none",
            at("n").notEqualTo(1) to false,
            at("n").notEqualTo("1") to true,
            at("missing").notEqualTo(1) to true,
            at("no").notEqualTo(null) to false,
            at("missing").notEqualTo(null) to true,
        )
        truth(
            "numbers are ordered as numbers, texts by their code points, and nothing else is",
            at("n").greaterThan(0.999) to true,
            at("n").greaterThan(1) to false,
            at("n").atLeast(1) to true,
            at("n").lessThan(10) to true,
            at("n").atMost(0) to false,
            at("big").greaterThan(Long.MAX_VALUE) to true,
            at("n").lessThan("2") to false,
            at("text").greaterThan("A") to true,
            at("text").lessThan("a") to true,
            at("umlaut").greaterThan("z") to true,
            at("text").atMost("Zebra") to true,
            at("text").greaterThan(0) to false,
            at("yes").atLeast(0) to false,
            at("no").lessThan(1) to false,
            at("list").greaterThan(0) to false,
            at("missing").lessThan(1) to false,
            Condition.noneOf(at("missing").lessThan(1)) to true,
        )
        truth(
            "contains looks for an element, a part of a text or a member",
            at("list").contains(1.0) to true,
            at("list").contains("a") to true,
            at("list").contains(null) to true,
            at("list").contains(2) to false,
            Condition.noneOf(at("list").contains(2)) to true,
            Condition.noneOf(at("missing").contains(2)) to true,
            at("none").contains(null) to false,
            at("text").contains("ebr") to true,
            at("text").contains("%") to false,
            at("text").contains("") to true,
            at("text").contains(1) to false,
            at("object").contains("k") to true,
            at("object").contains("null") to true,
            at("object").contains("deep") to false,
            at("n").contains(1) to false,
            at("missing").contains("a") to false,
        )
        truth(
            "exists is true for any value, null included",
            at("no").exists() to true,
            at("none", "0").exists() to false,
            at("list", "4", "0").exists() to true,
            at("list", "-1", "0").equalTo(2) to true,
            at("list", " 1").equalTo("a") to true,
            at("list", "1 ").exists() to false,
            at("list", "-6").exists() to false,
            at("list", "one").exists() to false,
            at("n", "0").exists() to false,
            at("object", "null").exists() to true,
            at("missing").exists() to false,
            at("missing", "below").exists() to false,
        )
        truth(
            "conditions combine",
            Condition.allOf(at("n").exists(), at("yes").equalTo(true)) to true,
            Condition.allOf(at("n").exists(), at("missing").exists()) to false,
            Condition.anyOf(at("missing").exists(), at("yes").equalTo(true)) to true,
            Condition.anyOf(at("missing").exists(), at("yes").equalTo(false)) to false,
            Condition.noneOf(at("missing").exists(), at("yes").equalTo(false)) to true,
            Condition.noneOf(at("missing").exists(), Condition.allOf(at("n").equalTo(1))) to false,
        )

        test("what the database does not know is false, and no error") {
            listOf(
                "{}",
                """{"all": 5}""",
                """{"any": {"a": 1}}""",
                """{"all": [1, "x", null]}""",
                """{"path": "n", "is": "EXISTS"}""",
                """{"path": ["n"], "is": "LIKE", "operand": 1}""",
                """{"path": ["n"], "is": 7}""",
                """{"step": "a", "ended": "WELL"}""",
                """{"step": "nobody", "ended": "SUCCEEDED"}""",
                """{"step": "nobody", "path": [], "is": "EXISTS"}""",
                """{"path": [null, {"a": 1}], "is": "EXISTS"}""",
            ).forEach { form ->
                withClue(form) { flow.ledger.value("SELECT runledger.workflow_condition_holds('$run', '$form')") shouldBe "f" }
            }
        }

        test("names are data: nothing in them is read as anything else") {
            val odd = listOf("it's", "\"quoted\"", "{a,b}", "a.b", "$.x", "\\", "ключ", " ")
            val strange = flow.start {
                context(odd.associateWith { it })
                work("b")
            }

            odd.forEach { name ->
                val form = at(name).equalTo(name).storedForm().text().replace("'", "''")
                withClue(name) {
                    flow.ledger.value("SELECT runledger.workflow_condition_holds('$strange', '$form')") shouldBe "t"
                }
            }
        }
    })
