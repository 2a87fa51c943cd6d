package io.runledger.exposed.fuzz

import io.runledger.model.error.InternalException
import io.runledger.model.error.RunledgerException

/** The problem with a refusal; null if the refusal is as documented. */
fun complaintAbout(refusal: Throwable, hasWrongNull: Boolean = false): String? = when {
    refusal is InternalException -> "the library did not expect it: ${refusal.internalMessage()}"
    refusal is RunledgerException -> messages(refusal).firstNotNullOfOrNull(::complaintAboutMessage)
    refusal is NullPointerException && hasWrongNull -> null
    refusal is IllegalArgumentException -> "an IllegalArgumentException says nothing".takeIf { refusal.message.isNullOrBlank() }
    else -> "${refusal.javaClass.name} has no code"
}

/** A message for clients holds no SQL, no name of a table, nothing that moves a terminal, and is not the size of a payload. */
fun complaintAboutMessage(message: String): String? = when {
    sql.containsMatchIn(message) -> "SQL in a message"
    message.codePoints().anyMatch { (Character.isISOControl(it) && it != '\n'.code) || it in bidi } -> "control characters in it"
    message.length > LONGEST -> "a message of ${message.length} characters"
    else -> null
}

private fun messages(refusal: Throwable): List<String> =
    generateSequence(refusal) { it.cause }.take(20).filterIsInstance<RunledgerException>().mapNotNull { it.message }.toList()

private val sql = Regex("""\b(SELECT|INSERT|UPDATE|DELETE|RETURNING|SQLSTATE)\b|runledger"?\.(job|workflow)_|ERROR:""")
private val bidi = setOf(0x061C, 0x200E, 0x200F) + (0x202A..0x202E) + (0x2066..0x2069)
private const val LONGEST = 20_000
