package io.runledger.console.picture

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.picture.svg.Font
import io.runledger.console.picture.svg.SvgWriter
import io.runledger.console.picture.svg.cutEnd
import io.runledger.console.picture.svg.cutInside
import io.runledger.console.picture.svg.number
import io.runledger.console.picture.svg.safeAddress
import io.runledger.console.picture.svg.shown

class SvgTextSpec :
    FunSpec({
        test("a text and an attribute come back as they were written, whatever they contain") {
            for (text in HOSTILE.map(::shown)) {
                val svg = SvgWriter()
                svg.element("svg", "width" to 1.0, "height" to 1.0, "aria-label" to text) { svg.text(text) }

                val drawn = DrawnSvg(svg.toString()).root
                drawn.textContent shouldBe text
                drawn.getAttribute("aria-label") shouldBe text
                drawn.childNodes.length shouldBe if (text.isEmpty()) 0 else 1
            }
        }

        test("a character that XML forbids cannot be written, even past the check of ledger texts") {
            val svg = SvgWriter()
            svg.element("svg", "width" to 1.0, "height" to 1.0) { svg.text("a\u0000b\uD800c\uFFFE") }

            DrawnSvg(svg.toString()).root.textContent shouldBe "a\uFFFDb\uFFFDc\uFFFD"
        }

        test("invisible characters are shown as codes, and text from right to left is isolated") {
            shown("a\u202Eb") shouldBe "a\\u202eb"
            shown("a\u0000\n\u2028") shouldBe "a\\u0000\\u000a\\u2028"
            shown("\uD83D\uDC68\u200D\uD83D\uDC69") shouldBe "\uD83D\uDC68\u200D\uD83D\uDC69"
            shown("שלום") shouldBe "\u2068שלום\u2069"
            shown("plain-1") shouldBe "plain-1"
        }

        test("a text that is too long is cut to its place, between the characters that a reader sees") {
            for (text in (HOSTILE + "pick-the-very-long-name-of-an-item-1234").map(::shown)) {
                for (width in listOf(20.0, 60.0, 160.0)) {
                    for (cut in listOf(cutInside(text, width, Font.NAME), cutEnd(text, width, Font.NAME))) {
                        withClue("$text in $width: $cut") {
                            Font.NAME.widthOf(cut) shouldBeLessThanOrEqualTo width
                            cut.indices.none {
                                cut[it].isHighSurrogate() && !cut.getOrElse(it + 1) { ' ' }.isLowSurrogate()
                            } shouldBe
                                true
                            cut.count { it == '\u2068' } shouldBe cut.count { it == '\u2069' }
                        }
                    }
                }
            }
            cutInside("pick-the-very-long-name-of-an-item-1234", 160.0, Font.NAME).let {
                it.startsWith("pick-the") shouldBe true
                it.endsWith("1234") shouldBe true
                it shouldContain "…"
            }
            cutEnd("a".repeat(100), 100.0, Font.NAME).endsWith("a…") shouldBe true
        }

        test("coordinates have at most two decimals, in every locale") {
            listOf(0.0, -0.0, -0.004, 1.0, 1.5, 1.05, 1.006, -2.25, 1e9).map(::number) shouldBe
                listOf("0", "0", "0", "1", "1.5", "1.05", "1.01", "-2.25", "1000000000")
        }

        test("only relative and http addresses become links") {
            listOf(
                "/runs/1",
                "?step=a%20b",
                "#a",
                "steps/a:b",
                "https://example.org/",
                "HTTP://example.org",
            ).map(::safeAddress) shouldBe
                listOf("/runs/1", "?step=a%20b", "#a", "steps/a:b", "https://example.org/", "HTTP://example.org")
            listOf(
                "javascript:alert(1)",
                "JaVaScript:alert(1)",
                " javascript:x",
                "java\nscript:x",
                "data:text/html,x",
                "\\\\x",
                null,
            )
                .mapNotNull(::safeAddress) shouldBe emptyList()
        }
    })
