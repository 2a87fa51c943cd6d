package io.runledger.exposed.fuzz

import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.random.Random

/**
 * Unusual values; the same [random] gives the same values. Their SQL is in lower case, so that a test can distinguish it from
 * SQL of the library in a message.
 */
class Hostile(private val random: Random) {
    fun text(): String = texts.random(random)()

    fun jsonText(): String = jsonTexts.random(random)()

    fun int(): Int = ints.random(random)

    fun long(): Long = longs.random(random)

    fun double(): Double = doubles.random(random)

    fun duration(): Duration = durations.random(random)

    fun instant(): Instant = instants.random(random)

    fun uuid(): UUID = listOf(UUID(0, 0), UUID(-1, -1), UUID(random.nextLong(), random.nextLong())).random(random)

    companion object {
        val texts: List<() -> String> = listOf(
            "", " ", "\t\n", "\u00a0\u2003\u3000", "\u0000", "a\u0000b", "\uD800", "x\uDC00y", "\uDBFF\uDBFF", "😀",
            "𝔘𝔫𝔦", "e\u0301",
            "\u202Etxt.exe", "\u2066a\u2069", "\u200B", "\uFEFFbom", "\u0001\u001b[31m", "\u007f", "\u0085",
            "a\r\nb", "\uFFFF",
            "'; drop table jobs; --", "' or '1'='1", "\" ; delete from x", "\\", "\\\\'", "$1", "?", "??",
            "{fn now()}", "{0}", "%s%n%x%n", "\${jndi:x}", "{schema}",
            "{scope q}", "null", "NULL", "undefined", "NaN", "-1", "0", "1e999", "../../etc/passwd", "<script>",
            "%00", "%", "_", "a%b_c", "[", "(", "*",
            "* * * * * *", "0 0 0 30 2 *", "@reboot", "99 99 * * *", "Mars/Phobos", "2026-02-30", "💥".repeat(64),
            "é".repeat(256),
        ).map { text -> { text } } +
            listOf({ "x".repeat(256) }, { "x".repeat(513) }, { "𐍈".repeat(20_000) }, { "y".repeat(99_999) })

        val jsonTexts: List<() -> String> = listOf(
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "nul", "'a'", "\"\\u0000\"", "\"\\ud800\"",
            "\"\uD800\"", "\"a\nb\"", "\u0000",
            "null", "true", "[]", "{}", "{\"\":\"\"}", "\"\"", "-0", "-0.0", "01", "+1", "1.", ".5", "1e400",
            "1e99999", "1e-99999", "9".repeat(400),
            "NaN", "Infinity", "{\"a\":{\"b\":[null,\"😀\",1.5]}}", "\"%s '; drop table x; --\"", "1 2", "// c\n1",
            "\uFEFF{}",
        ).map { text -> { text } } + listOf(
            { "[".repeat(512) + "]".repeat(512) },
            { "[".repeat(513) + "]".repeat(513) },
            { "[".repeat(50_000) },
            { "{\"a\":".repeat(5_000) },
            { "1".repeat(20_000) },
            { "12e9999" },
            { "\"${"z".repeat(300_000)}\"" },
        )

        val ints = listOf(0, 1, 2, 3, 10, 100, 1000, -1, Int.MIN_VALUE, Int.MAX_VALUE, Int.MAX_VALUE - 1, 1001, 65536)

        val longs = listOf(0L, 1, 2, 100, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L shl 31, 1L shl 53)

        val doubles =
            listOf(0.0, -0.0, 1.5, 0.5, -1.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE)

        val durations: List<Duration> = listOf(
            Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofMinutes(1),
            Duration.ofDays(1), Duration.ofNanos(-1),
            Duration.ofSeconds(-5), Duration.ofSeconds(Int.MAX_VALUE.toLong()),
            Duration.ofSeconds(Int.MAX_VALUE.toLong() + 1), Duration.ofDays(106_000_000),
            Duration.ofDays(106_000_001), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE), Duration.ofDays(365 * 1000L),
        )

        val instants: List<Instant> = listOf(
            Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.parse("-4713-11-24T00:00:00Z"),
            Instant.parse("-4713-11-23T23:59:59Z"),
            Instant.parse("+294276-12-31T23:59:59.999999Z"), Instant.parse("+294277-01-01T00:00:00Z"),
            Instant.parse("2026-03-29T01:30:00Z"),
            Instant.parse("9999-12-31T23:59:59.999999999Z"), Instant.parse("0000-01-01T00:00:00Z"),
            Instant.ofEpochSecond(-1, 1),
        )
    }
}
