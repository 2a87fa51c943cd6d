package io.runledger.console.http

import java.io.InputStream

/** A request to the console, as an adapter of a server hands it over. */
public abstract class ConsoleRequest(
    /** `GET`, `HEAD` or `POST`. */
    @get:JvmName("method") public val method: String,
    /** The path under which the console is mounted, such as `/runledger`; empty if it is the whole server. */
    @get:JvmName("base") public val base: String,
    /** The path below [base] as the browser sent it, with its percent signs; begins with a slash. */
    @get:JvmName("path") public val path: String,
    /** The text after the `?` of the address; null if there is none. */
    queryString: String?,
    /** Whether the browser reached the server through HTTPS. */
    public val isSecure: Boolean,
) {
    /**
     * The parts of [path] between its slashes, decoded one by one, so that a name with a slash in it stays one part. The first is
     * empty, because the path begins with a slash.
     */
    @get:JvmName("parts")
    public val parts: List<String> = path.split('/').map(Parameters::decodedPart)

    /** The parameters of the address. */
    @get:JvmName("query")
    public val query: Parameters = Parameters.parse(queryString)

    /** The fields of a posted form. A form larger than [MAX_FORM_BYTES] is refused. */
    @get:JvmName("form")
    public val form: Parameters by lazy { readForm() }

    /** The first header of this name, whatever its case; null if there is none. */
    public abstract fun header(name: String): String?

    /** The request of the server itself, for a [io.runledger.console.access.ConsoleAccess] that knows its class. */
    public abstract fun hostRequest(): Any

    /** The cookie of this name, or null. */
    public fun cookie(name: String): String? = header("Cookie")?.split(';')
        ?.map { it.trim() }
        ?.firstOrNull { it.startsWith("$name=") }
        ?.substring(name.length + 1)

    /** The body of the request. */
    protected abstract fun body(): InputStream

    /** Reads [form]. Servers whose filters may have read the body answer from the parameters that they keep. */
    protected open fun readForm(): Parameters {
        if (!isForm()) return Parameters.NONE
        val bytes = body().readNBytes(MAX_FORM_BYTES + 1)
        if (bytes.size > MAX_FORM_BYTES) throw FormTooLargeException()
        return Parameters.parse(String(bytes, Charsets.UTF_8))
    }

    /** Whether the request says that its body has the fields of a form. */
    protected fun isForm(): Boolean =
        header("Content-Type")?.startsWith("application/x-www-form-urlencoded", ignoreCase = true) == true

    public companion object {
        /** The greatest size of a form: a payload of the default limit, encoded. */
        public const val MAX_FORM_BYTES: Int = 4 shl 20
    }
}

/** A posted form is larger than [ConsoleRequest.MAX_FORM_BYTES]. */
public class FormTooLargeException :
    RuntimeException("The form is larger than ${ConsoleRequest.MAX_FORM_BYTES} bytes: send a smaller payload.")
