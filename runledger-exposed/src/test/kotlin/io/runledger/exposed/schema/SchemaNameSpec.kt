package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode

class SchemaNameSpec :
    FunSpec({
        test("plain identifiers are schema names, reserved words too") {
            for (name in listOf("runledger", "_x", "a1", "order", "select", "public", "x".repeat(63))) {
                SchemaName(name).text shouldBe name
            }
        }

        test("anything else is refused and says why") {
            val refused = listOf(
                "", " ", "Ledger", "my-ledger", "a.b", "a b", "1a", "\"a\"", "a\"; DROP SCHEMA x; --", "é", "a\n", "a\u0000",
            )
            for (name in refused) {
                shouldRefuse(ErrorCode.SCHEMA_NAME) { SchemaName(name) }.message shouldContain "lower-case letters"
            }
            shouldRefuse(ErrorCode.SCHEMA_NAME) { SchemaName("x".repeat(64)) }.message shouldContain "63"
            shouldRefuse(ErrorCode.SCHEMA_NAME) { SchemaName("pg_ledger") }.message shouldContain "is reserved"
            shouldRefuse(ErrorCode.SCHEMA_NAME) { SchemaName("information_schema") }.message shouldContain "is reserved"
        }

        test("names are quoted wherever SQL sees them") {
            SchemaName("order").quoted shouldBe "\"order\""
            SchemaName("order").qualify("job_queue") shouldBe "\"order\".\"job_queue\""
        }
    })
