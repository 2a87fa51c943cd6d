package io.runledger.console.picture

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.picture.svg.StyleSheet
import kotlin.math.pow
import kotlin.random.Random

private fun brightness(color: String): Double {
    val parts = listOf(1, 3, 5).map { color.substring(it, it + 2).toInt(16) / 255.0 }
        .map { if (it <= 0.03928) it / 12.92 else ((it + 0.055) / 1.055).pow(2.4) }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
}

/** The contrast of two colors as WCAG defines it. */
private fun contrast(one: String, other: String): Double {
    val (dark, light) = listOf(brightness(one), brightness(other)).sorted()
    return (light + 0.05) / (dark + 0.05)
}

class PictureStylesSpec :
    FunSpec({
        val states = listOf("blocked", "waiting", "enqueued", "running", "succeeded", "failed", "canceled", "skipped", "dead")

        test("the dark colors are the same by preference and by theme, and name what the light ones name") {
            StyleSheet.palettes shouldHaveSize 3
            StyleSheet.palettes[1] shouldBe StyleSheet.palettes[2]
            StyleSheet.palettes[1].keys shouldBe StyleSheet.palettes[0].keys
        }

        test("texts have a contrast of at least 4.5, and shapes of at least 3, in light and dark") {
            for (colors in StyleSheet.palettes.take(2)) {
                fun color(name: String) = colors.getValue("--rl-$name")
                for (back in listOf("bg", "stripe") + states.map { "$it-fill" }) {
                    withClue("texts on $back") {
                        contrast(color("ink"), color(back)) shouldBeGreaterThanOrEqual 4.5
                        contrast(color("muted"), color(back)) shouldBeGreaterThanOrEqual 4.5
                    }
                }
                for (state in states) {
                    withClue(state) {
                        contrast(color("$state-ink"), color("$state-fill")) shouldBeGreaterThanOrEqual 4.5
                        contrast(color("$state-ink"), color("bg")) shouldBeGreaterThanOrEqual 4.5
                        contrast(color("$state-solid"), color("bg")) shouldBeGreaterThanOrEqual 3.0
                        contrast(color("$state-solid"), color("$state-fill")) shouldBeGreaterThanOrEqual 2.99
                    }
                }
                listOf("line", "met", "axis", "focus").forEach {
                    withClue(it) {
                        contrast(color(it), color("bg")) shouldBeGreaterThanOrEqual
                            3.0
                    }
                }
            }
        }

        test("a standalone picture has all colors, for programs that know no variables") {
            val graph = RunGraph.of(randomRun(Random(5)))
            fun svg(theme: PictureTheme) = graph.svg(PictureOptions.builder().standalone(theme).build())

            for (theme in PictureTheme.entries) {
                svg(theme) shouldNotContain "var("
                svg(theme) shouldContain "rl-background"
                DrawnSvg(svg(theme)).named("style") shouldHaveSize 1
            }
            svg(PictureTheme.AUTO) shouldContain "prefers-color-scheme"
            svg(PictureTheme.LIGHT) shouldContain "fill:${StyleSheet.palettes[0].getValue("--rl-bg")}"
            svg(PictureTheme.DARK) shouldContain "fill:${StyleSheet.palettes[1].getValue("--rl-bg")}"
        }

        test("the style sheet is a file that pages can serve, and loads nothing from elsewhere") {
            PictureStyles.css() shouldContain "[data-theme=\"dark\"]"
            PictureStyles.css() shouldNotContain "url("
            PictureStyles.css() shouldNotContain "@import"
        }
    })
