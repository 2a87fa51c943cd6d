package io.runledger.console.visit

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Page

/** A part of the console with pages of its own. */
internal fun interface Screen {
    fun register(routes: Routes)
}

/** A page or an action, with the role that it needs. */
internal class Route(val method: String, val pattern: String, val role: ConsoleRole, val answer: (Visit) -> Answer) {
    private val expected = pattern.split('/')

    /** The values of the names in the pattern if [path] fits, else null. */
    fun match(path: List<String>): Map<String, String>? {
        if (path.size != expected.size) return null
        val values = HashMap<String, String>()
        expected.forEachIndexed { at, part ->
            if (part.startsWith("{")) {
                if (path[at].isEmpty()) return null
                values[part.substring(1, part.length - 1)] = path[at]
            } else if (part != path[at]) {
                return null
            }
        }
        return values
    }
}

/** All pages and actions of the console. A pattern is a path with `{names}` for single parts. */
internal class Routes {
    val all = ArrayList<Route>()

    /** A page to read. */
    fun page(pattern: String, role: ConsoleRole = ConsoleRole.VIEWER, page: (Visit) -> Page) =
        get(pattern, role) { Show(page(it)) }

    /** Any other answer to a `GET`. It changes nothing. */
    fun get(pattern: String, role: ConsoleRole = ConsoleRole.VIEWER, answer: (Visit) -> Answer) {
        all += Route("GET", pattern, role, answer)
    }

    /** A posted form. Reached only with a valid form token, and by users of [role]. */
    fun post(pattern: String, role: ConsoleRole = ConsoleRole.OPERATOR, answer: (Visit) -> Answer) {
        all += Route("POST", pattern, role, answer)
    }
}
