package io.runledger.exposed.workflow

/** The order of the UTF-8 bytes, which differs from the order of UTF-16 code units. */
internal val byCodePoint = Comparator<String> { a, b ->
    val mismatch = (0 until minOf(a.length, b.length)).firstOrNull { a[it] != b[it] }
    when {
        mismatch == null -> a.length.compareTo(b.length)
        a[mismatch].isSurrogate() != b[mismatch].isSurrogate() -> if (a[mismatch].isSurrogate()) 1 else -1
        else -> a[mismatch].compareTo(b[mismatch])
    }
}
