package io.runledger.console.payload

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

class LineDiffSpec :
    FunSpec({
        fun of(old: List<String>, new: List<String>) = LineDiff.of(old.joinToString("\n"), new.joinToString("\n"))

        fun signs(lines: List<LineDiff.Line>) = lines.joinToString("") {
            when (it.kind) {
                LineDiff.Kind.SAME -> " "
                LineDiff.Kind.REMOVED -> "-"
                LineDiff.Kind.ADDED -> "+"
            } + it.text
        }

        test("only what differs is marked") {
            signs(of(listOf("a", "b", "c", "d"), listOf("a", "x", "c", "d", "e"))) shouldBe " a-b+x c d+e"
            signs(of(listOf("a", "a", "a"), listOf("a", "a"))) shouldBe " a a-a"
            signs(of(listOf("a"), listOf("a"))) shouldBe " a"
        }

        test("the old text is what stays and goes, the new one what stays and comes") {
            val random = Random(4711)
            fun text() = List(random.nextInt(1, 12)) { "abc".random(random).toString() }
            repeat(500) {
                val (old, new) = text() to text()
                val lines = of(old, new)
                lines.filter { it.kind != LineDiff.Kind.ADDED }.map { it.text } shouldBe old
                lines.filter { it.kind != LineDiff.Kind.REMOVED }.map { it.text } shouldBe new
            }
        }

        test("long texts that differ everywhere are compared as wholes") {
            val lines = of(List(20_000) { "old $it" }, List(20_000) { "new $it" })

            lines.size shouldBe 40_000
            lines.indexOfFirst { it.kind == LineDiff.Kind.ADDED } shouldBe 20_000
        }
    })
