package io.runledger.model.error

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.model.mainSources

/** Callers can never see a code that the library neither throws nor stores. */
class RaisedCodesSpec :
    FunSpec({
        test("every code is used by the library itself, and not only declared") {
            val used = Regex("""\bErrorCode\.([A-Z_]+)\b""")
            val raised = mainSources()
                .filterNot { it.endsWith("io/runledger/model/error/ErrorCode.java") }
                .flatMap { file -> used.findAll(file.toFile().readText()).map { it.groupValues[1] } }
                .toSet()

            ErrorCode.entries.map { it.name }.filterNot { it in raised }.shouldBeEmpty()
        }
    })
