package io.runledger.console.form

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Instant

class TimesSpec :
    FunSpec({
        test("a time is read in the zone that was entered with it") {
            instantOf("at", "2026-07-01T12:00", "UTC") shouldBe Instant.parse("2026-07-01T12:00:00Z")
            instantOf("at", "2026-07-01T12:00:30", "Europe/Berlin") shouldBe Instant.parse("2026-07-01T10:00:30Z")
        }

        test("a time that occurs twice is the first of the two") {
            instantOf("at", "2026-10-25T02:30", "Europe/Berlin") shouldBe Instant.parse("2026-10-25T00:30:00Z")
        }

        test("what is no time, no zone, or skipped by the clocks is refused with a sentence") {
            shouldThrow<FieldProblem> { instantOf("at", "tomorrow", "UTC") }.sentence shouldContain "is not a date and a time"
            shouldThrow<FieldProblem> { instantOf("at", "2026-07-01T12:00", "Berlin") }.sentence shouldContain
                "is not a time zone"
            shouldThrow<FieldProblem> { instantOf("at", "2026-03-29T02:30", "Europe/Berlin") }.sentence shouldContain
                "does not exist"
        }

        test("the text of an instant is read back as the same instant") {
            val at = Instant.parse("2026-11-19T09:30:15Z")

            instantOf("at", localText(at), "UTC") shouldBe at
        }
    })
