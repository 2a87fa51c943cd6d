package io.runledger.console.payload

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.console.content.Redaction
import io.runledger.model.json.Json

class HiddenValuesSpec :
    FunSpec({
        val hidden = HiddenValues(Redaction.USUAL)

        fun restored(edited: String, original: String) = hidden.restored(Json.of(edited), Json.of(original)).text()

        test("values come back where the sign was left") {
            restored("""{"a":2,"password":"•••"}""", """{"a":1,"password":"hunter2"}""") shouldBe
                """{"a":2,"password":"hunter2"}"""
            restored(
                """{"logins":[{"token":"•••"},{"token":"new"}]}""",
                """{"logins":[{"token":"one"},{"token":"two"}]}""",
            ) shouldBe
                """{"logins":[{"token":"one"},{"token":"new"}]}"""
            restored("""{"secret":"•••"}""", """{"secret":{"deep":[1.50,2]}}""") shouldBe """{"secret":{"deep":[1.50,2]}}"""
        }

        test("the sign is a text like any other under a name that is not hidden") {
            restored("""{"note":"•••"}""", """{"note":"x"}""") shouldBe """{"note":"•••"}"""
        }

        test("a value whose place is not certain is refused") {
            shouldThrow<HiddenValues.UnknownValue> {
                restored("""{"logins":[{"token":"•••"}]}""", """{"logins":[{"token":"one"},{"token":"two"}]}""")
            }.place shouldBe "logins[0].token"
            shouldThrow<HiddenValues.UnknownValue> { restored("""{"token":"•••"}""", """{"a":1}""") }.place shouldBe "token"
        }

        test("numbers keep their digits") {
            restored("""{"n":12345678901234567890.1230,"token":"•••"}""", """{"token":"t"}""") shouldBe
                """{"n":12345678901234567890.1230,"token":"t"}"""
        }
    })
