package io.runledger.benchmarks

import kotlin.random.Random

/** Text that does not compress to nothing, the same in every run. */
object Payload {
    private const val LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 "

    fun text(length: Int): String {
        val random = Random(length)
        return String(CharArray(length) { LETTERS[random.nextInt(LETTERS.length)] })
    }
}
