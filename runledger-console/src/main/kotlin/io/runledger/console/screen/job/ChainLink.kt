package io.runledger.console.screen.job

/** An exception of a failure's message, or a message that names none. */
internal data class ChainLink(val exception: String?, val message: String?)

/**
 * The exceptions in the message of a failure, the outermost first. The library writes an exception and its causes as
 * `a.b.First: message; caused by c.d.Second: message`.
 */
internal fun chainOf(message: String): List<ChainLink> = message.split("; caused by ").map { part ->
    val match = EXCEPTION.matchEntire(part)
    if (match == null) ChainLink(null, part) else ChainLink(match.groupValues[1], match.groupValues[2].ifBlank { null })
}

// A qualified class name, alone or before a colon.
private val EXCEPTION =
    Regex("""((?:[\p{L}_$][\p{L}\p{N}_$]*\.)+[\p{L}_$][\p{L}\p{N}_$]*)(?::\s(.*))?""", RegexOption.DOT_MATCHES_ALL)
