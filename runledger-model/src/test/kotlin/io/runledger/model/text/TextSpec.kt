package io.runledger.model.text

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.kotest.property.Arb
import io.kotest.property.arbitrary.Codepoint
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll

/** All of Unicode's White_Space. */
private val whiteSpace =
    (0x09..0x0D) + 0x20 + 0x85 + 0xA0 + 0x1680 + (0x2000..0x200A) + 0x2028 + 0x2029 + 0x202F + 0x205F + 0x3000

/** Characters that look empty or are white space by other definitions, but not White_Space. */
private val nearMisses =
    listOf(0x00, 0x08, 0x0E, 0x7F, 0xAD, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2800, 0x3164, 0xFEFF) + (0x1B..0x1F)

private fun text(point: Int): String = Character.toString(point)

/** Any UTF-16 text, including unpaired surrogates and NUL. */
private val anyUtf16 =
    arbitrary { source ->
        val special = charArrayOf('\u0000', '\uD83D', '\uDE00', 'a', 'é', '€', '\n')
        String(CharArray(source.random.nextInt(12)) { special[source.random.nextInt(special.size)] })
    }

class TextSpec :
    FunSpec({
        test("blank is empty or White_Space only, and nothing else is") {
            Text.isBlank("") shouldBe true
            Text.isBlank(whiteSpace.joinToString("") { text(it) }) shouldBe true
            (0..0x10FFFF).filter { Text.isBlank(text(it)) != (it in whiteSpace) }.map { "U+%04X".format(it) }.shouldBeEmpty()
            nearMisses.filter { Text.isBlank(text(it)) }.shouldBeEmpty()
        }

        test("one visible character is enough not to be blank") {
            whiteSpace.filter { Text.isBlank(text(it) + "x" + text(it)) }.shouldBeEmpty()
        }

        test("a text is padded by any White_Space at either end, not inside") {
            whiteSpace.forEach {
                Text.isPadded(text(it) + "a") shouldBe true
                Text.isPadded("a" + text(it)) shouldBe true
                Text.isPadded("a" + text(it) + "b") shouldBe false
            }
            nearMisses.forEach { Text.isPadded(text(it) + "a") shouldBe false }
            Text.isPadded("") shouldBe false
        }

        test("the size is that of the UTF-8 encoding") {
            Text.utf8Length("aé€😀") shouldBe 1 + 2 + 3 + 4
            listOf(0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF).forEach {
                Text.utf8Length(text(it)) shouldBe text(it).toByteArray().size.toLong()
            }
            checkAll(Arb.string(0..60, codepoints = anyPoint)) { Text.utf8Length(it) shouldBe it.toByteArray().size.toLong() }
        }

        test("NUL and halves of surrogate pairs cannot be stored, everything else can") {
            listOf("a\u0000", "\uD83D", "\uDE00", "\uDE00\uD83D", "\uD83Dx\uDE00").filter(Text::isStorable).shouldBeEmpty()
            listOf("", "a", "\u0001", "\uD83D\uDE00", "\uFFFD", "\uFFFF").filterNot(Text::isStorable).shouldBeEmpty()
        }

        test("what can be stored is left alone") {
            checkAll(Arb.string(0..60, codepoints = anyPoint)) { if (Text.isStorable(it)) Text.storable(it) shouldBe it }
        }

        test("what cannot be stored is replaced, character by character") {
            Text.storable("a\u0000b\uD83Dc\uDE00\uD83D\uDE00") shouldBe "a\uFFFDb\uFFFDc\uFFFD\uD83D\uDE00"
            checkAll(anyUtf16) {
                val clean = Text.storable(it)
                Text.isStorable(clean) shouldBe true
                clean.length shouldBe it.length
            }
        }

        test("a quoted text shows control characters and halves of pairs as escapes") {
            Text.quoted("a\tb\u0000\u0085\uD83D") shouldBe "'a\\u0009b\\u0000\\u0085\\ud83d'"
            Text.quoted("a\u202Eexe.txt\u2066\u200F") shouldBe "'a\\u202eexe.txt\\u2066\\u200f'"
            Text.quoted("") shouldBe "''"
            checkAll(anyUtf16) { Text.quoted(it) shouldNotContain "\n" }
        }

        test("a quoted text is cut after sixty characters, never inside a pair") {
            Text.quoted("😀".repeat(60)) shouldBe "'${"😀".repeat(60)}'"
            Text.quoted("😀".repeat(61)) shouldBe "'${"😀".repeat(60)}…'"
        }
    })

/** Every scalar value: all code points but the surrogates. */
private val anyPoint =
    arbitrary { source ->
        val planes = listOf(0x0..0x7F, 0x80..0x7FF, 0x800..0xD7FF, 0xE000..0xFFFF, 0x10000..0x10FFFF)
        Codepoint(planes[source.random.nextInt(planes.size)].random(source.random))
    }
