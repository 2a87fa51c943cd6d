package io.runledger.console.jdk

import com.sun.net.httpserver.HttpExchange
import io.runledger.console.http.ConsoleRequest
import java.io.InputStream

internal class JdkRequest(private val exchange: HttpExchange, base: String, path: String) :
    ConsoleRequest(exchange.requestMethod, base, path, exchange.requestURI.rawQuery, isSecure = false) {
    override fun hostRequest(): Any = exchange

    override fun header(name: String): String? = exchange.requestHeaders.getFirst(name)

    override fun body(): InputStream = exchange.requestBody
}
