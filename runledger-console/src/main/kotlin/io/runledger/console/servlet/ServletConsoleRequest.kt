package io.runledger.console.servlet

import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.Parameters
import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.MappingMatch
import java.io.InputStream

internal class ServletConsoleRequest(private val request: HttpServletRequest) :
    ConsoleRequest(request.method, baseOf(request), pathOf(request), request.queryString, request.isSecure) {
    override fun hostRequest(): Any = request

    override fun header(name: String): String? = request.getHeader(name)

    override fun body(): InputStream = request.inputStream

    /**
     * A filter that has asked for a parameter has read the body; its fields are then among the parameters, after those of the
     * query.
     */
    override fun readForm(): Parameters {
        val form = super.readForm()
        if (form.names.isNotEmpty() || !isForm()) return form
        return Parameters.of(
            request.parameterMap.mapValues { (name, values) -> values.drop(query.countOf(name)) }
                .filterValues { it.isNotEmpty() },
        )
    }

    private companion object {
        /** A servlet that is mapped to all paths has none of its own. */
        fun isDefault(request: HttpServletRequest) = request.httpServletMapping.mappingMatch == MappingMatch.DEFAULT

        fun baseOf(request: HttpServletRequest): String =
            if (isDefault(request)) request.contextPath else request.contextPath + request.servletPath

        /** The container has decoded the path, and the console decodes its parts. */
        fun pathOf(request: HttpServletRequest): String {
            val decoded = if (isDefault(request)) request.servletPath + request.pathInfo.orEmpty() else request.pathInfo.orEmpty()
            return decoded.replace("%", "%25").ifEmpty { "/" }
        }
    }
}
