package io.runledger.console.picture.graph

private const val SEPARATORS = "-_./: #"

/**
 * The part of a key that similar steps share: what stands before the first number, or before the last separator if there is no
 * number. `pick-1` and `pick-lamp` have the stem `pick-`.
 */
internal fun stemOf(key: String): String {
    val digit = key.indexOfFirst { it.isDigit() }
    val end = if (digit < 0) key.length else digit
    val separator = key.lastIndexOfAny(SEPARATORS.toCharArray(), (end - 1).coerceAtLeast(0))
    return when {
        separator > 0 -> key.substring(0, separator + 1)
        digit >= 0 -> key.substring(0, digit)
        else -> key
    }
}

/** A name for several keys: their common beginning and end, with an asterisk between. Null if they have nothing in common. */
internal fun commonName(keys: List<String>): String? {
    val head = keys.reduce { one, other -> one.commonPrefixWith(other) }.trimEnd { it.isDigit() }
    val rest = keys.map { it.substring(head.length) }
    val tail = rest.reduce { one, other -> one.commonSuffixWith(other) }.trimStart { it.isDigit() }
    return if (head.isEmpty() && tail.isEmpty()) null else "$head*$tail"
}
