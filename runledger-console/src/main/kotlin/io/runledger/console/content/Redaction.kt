package io.runledger.console.content

/** Which values of JSON objects and headers are not shown: those whose name contains one of [words], whatever its case. */
public class Redaction private constructor(private val words: List<String>) {
    /** Whether a value of this name is hidden. */
    public fun hides(name: String): Boolean {
        val plain = plain(name)
        return words.any { it in plain }
    }

    /** Also hides values whose name contains one of [names]. Case, blanks and punctuation do not count. */
    public fun also(vararg names: String): Redaction =
        Redaction(words + names.map { name -> plain(name).also { require(it.isNotEmpty()) { "'$name' has no letter." } } })

    private fun plain(name: String): String = name.filter { it.isLetterOrDigit() }.lowercase()

    public companion object {
        /** Stands where a value was removed. */
        internal const val SIGN = "•••"

        /** Hides passwords, secrets, tokens, keys of APIs, credentials, cookies, card numbers and the like. */
        @JvmField
        public val USUAL: Redaction = Redaction(
            listOf(
                "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
                "authorization",
                "cookie", "cardnumber", "cvv", "cvc", "iban", "socialsecurity", "ssn",
            ),
        )

        /** Shows everything. */
        @JvmField
        public val NONE: Redaction = Redaction(emptyList())
    }
}
