package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.runledger.exposed.RecordedFile
import io.runledger.exposed.freshLedger

class SchemaPageSpec :
    FunSpec({
        test("the page about the schema says what the database says") {
            RecordedFile.shouldHold("docs/schema.md", SchemaPage(freshLedger().catalog()).text())
        }
    })
