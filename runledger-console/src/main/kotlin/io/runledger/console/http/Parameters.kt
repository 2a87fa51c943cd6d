package io.runledger.console.http

import java.net.URLDecoder

/** The parameters of a query or of a form, in their order. A name can have several values. */
public class Parameters private constructor(private val values: Map<String, List<String>>) {
    @get:JvmName("names")
    public val names: Set<String> get() = values.keys

    /** The first value of [name] that is not blank, or null. */
    public operator fun get(name: String): String? = values[name]?.firstOrNull { it.isNotBlank() }

    /** All values of [name] that are not blank. */
    public fun all(name: String): List<String> = values[name].orEmpty().filter { it.isNotBlank() }

    /** How often [name] occurs, also with blank values. */
    internal fun countOf(name: String): Int = values[name]?.size ?: 0

    public companion object {
        @JvmField
        public val NONE: Parameters = Parameters(emptyMap())

        @JvmStatic
        public fun of(values: Map<String, List<String>>): Parameters = Parameters(LinkedHashMap(values))

        /** Reads the text after the `?` of an address, or an `application/x-www-form-urlencoded` body. */
        @JvmStatic
        public fun parse(text: String?): Parameters {
            if (text.isNullOrEmpty()) return NONE
            val values = LinkedHashMap<String, MutableList<String>>()
            for (pair in text.split('&')) {
                if (pair.isEmpty()) continue
                values.getOrPut(decoded(pair.substringBefore('='))) { ArrayList(1) } += decoded(pair.substringAfter('=', ""))
            }
            return Parameters(values)
        }

        /** A part of a path, where a plus sign is a plus sign. Text that is not encoded correctly stays as it is. */
        @JvmSynthetic
        internal fun decodedPart(text: String): String = if ('%' in text) decoded(text.replace("+", "%2B")) else text

        private fun decoded(text: String): String = try {
            URLDecoder.decode(text, Charsets.UTF_8)
        } catch (_: IllegalArgumentException) {
            text
        }
    }
}
