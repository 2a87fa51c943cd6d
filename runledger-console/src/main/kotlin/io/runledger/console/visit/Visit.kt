package io.runledger.console.visit

import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.Parameters
import io.runledger.console.live.Snapshots
import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import java.net.URLEncoder
import java.util.UUID

/** One request of a known user: what it asks for, and what the screens need to answer it. */
internal class Visit(
    val request: ConsoleRequest,
    val user: ConsoleUser,
    val ledgers: ConsoleLedgers,
    /** The names in the pattern of the route, with their parts of the path. */
    private val parts: Map<String, String>,
    /** Goes into each form, and must come back with it. */
    val formToken: String,
) {
    val scope: Scope get() = user.scope
    val query: Parameters get() = request.query
    val form: Parameters get() = request.form

    /** Reads, possibly from a replica. */
    val reads: RunledgerClient get() = ledgers.reads

    fun part(name: String): String = PathPart.nameOf(parts.getValue(name)) ?: throw NoSuchPageException(request.path)

    /** The id in the path. If it is not a UUID, there is no such page. */
    fun id(name: String = "id"): UUID = part(name).let { text ->
        try {
            UUID.fromString(text)
        } catch (_: IllegalArgumentException) {
            throw NoSuchPageException(request.path)
        }
    }

    fun may(role: ConsoleRole): Boolean = user.may(role)

    /** The ledger that changes rows in the name of the user. A repeated [key] changes nothing twice. */
    fun acting(key: String): Ledger = ledgers.writes.inOwnTransactions().actingAs(user.name, key)

    /**
     * What [read] returns, shared by all users of the same scope for a short time. [what] names the question and everything that
     * changes the answer, other than the scope.
     */
    fun <T : Any> snapshot(what: String, read: () -> T): T = ledgers.snapshots.get(Snapshots.Key(scope, what), read)

    /** The address of a page of the console. [path] begins with a slash. Parameters that are null or blank are left out. */
    fun link(path: String, vararg parameters: Pair<String, String?>): String = request.base + path + queryOf(parameters.asList())

    /** The address of this page with other parameters; a null value removes one. */
    fun linkHere(vararg changed: Pair<String, String?>): String {
        val names = changed.map { it.first }
        val kept = query.names.filter { it !in names }.flatMap { name -> query.all(name).map { name to it } }
        return link(request.path, *(kept + changed).toTypedArray())
    }

    private fun queryOf(parameters: List<Pair<String, String?>>): String {
        val given = parameters.filter { !it.second.isNullOrBlank() }
        if (given.isEmpty()) return ""
        return given.joinToString("&", "?") { (name, value) -> "${inQuery(name)}=${inQuery(value!!)}" }
    }

    companion object {
        /** [name] as one part of a path. [part] returns it as it was. */
        fun encoded(name: String): String = PathPart.of(name)

        /** [text] as the value of a parameter in an address. */
        fun inQuery(text: String): String = URLEncoder.encode(text, Charsets.UTF_8).replace("+", "%20")
    }
}

/** The address does not belong to a page. */
internal class NoSuchPageException(path: String) : RuntimeException("There is no page at $path.")
