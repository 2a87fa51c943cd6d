package io.runledger.console.picture.svg

private val scheme = Regex("^[a-zA-Z][a-zA-Z0-9+.-]*:")

/**
 * The address of a link, or null if it is not a relative, `http` or `https` address. The host makes addresses from keys, which
 * users choose, and a key could otherwise become a script.
 */
internal fun safeAddress(address: String?): String? {
    if (address == null || address.any { it <= ' ' || it == '\\' }) {
        return null
    }
    val found = scheme.find(address)?.value?.lowercase() ?: return address
    return address.takeIf { found == "http:" || found == "https:" }
}
