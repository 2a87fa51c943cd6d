package io.runledger.postgres

import java.math.BigInteger
import java.security.MessageDigest
import java.util.concurrent.ConcurrentHashMap

/** Prepares each template once per server. */
internal class TemplateDatabases(private val databases: Databases, private val nextName: () -> String) {
    private val prepared = ConcurrentHashMap<String, Preparing>()

    fun prepared(template: DatabaseTemplate): String {
        val preparing = prepared.computeIfAbsent(template.name) { Preparing(databaseName(template)) }
        synchronized(preparing) {
            if (!preparing.done) prepareAmongJvms(template, preparing.database)
            preparing.done = true
        }
        return preparing.database
    }

    private fun prepareAmongJvms(template: DatabaseTemplate, database: String) = databases.maintain { session ->
        session.run("SELECT pg_advisory_lock(${DatabaseOwner.TEMPLATE_LOCKS}, ${database.hashCode()})")
        if (!databases.exists(database)) prepare(template, database)
    }

    // Built under the name of an ordinary test database, so that the next sweep drops it if this JVM dies.
    private fun prepare(template: DatabaseTemplate, database: String) {
        val unfinished = nextName()
        databases.createEmpty(unfinished)
        try {
            template.preparation.prepare(databases.server.database(unfinished))
            databases.seal(unfinished, database)
        } catch (failure: Exception) {
            databases.drop(unfinished)
            throw failure
        }
    }

    // The role is part of the name because only the owner of a database may copy it.
    private fun databaseName(template: DatabaseTemplate): String {
        val digest = MessageDigest.getInstance("SHA-256").digest("${template.name}/${databases.server.user}".toByteArray())
        val readable = template.name.lowercase().replace(Regex("[^a-z0-9]+"), "_").take(30)
        return "rltmpl_${readable}_" + "%016x".format(BigInteger(1, digest.copyOf(8)))
    }

    private class Preparing(val database: String, var done: Boolean = false)
}
