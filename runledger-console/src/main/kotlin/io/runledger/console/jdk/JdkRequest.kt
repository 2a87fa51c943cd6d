package io.runledger.console.jdk

import com.sun.net.httpserver.HttpExchange
import io.runledger.console.http.ConsoleRequest
import java.io.InputStream

internal class JdkRequest(override val native: HttpExchange, base: String, path: String) :
    ConsoleRequest(native.requestMethod, base, path, native.requestURI.rawQuery, isSecure = false) {
    override fun header(name: String): String? = native.requestHeaders.getFirst(name)

    override fun body(): InputStream = native.requestBody
}
