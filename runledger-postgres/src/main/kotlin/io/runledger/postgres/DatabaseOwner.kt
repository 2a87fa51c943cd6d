package io.runledger.postgres

import org.slf4j.LoggerFactory
import java.sql.Connection
import java.sql.SQLException
import kotlin.random.Random

/**
 * The owner of a test database on a server that outlives its users. The owner's number is in the name of the database. It is
 * also an advisory lock that the owning JVM holds while its session is open.
 */
internal object DatabaseOwner {
    const val TEMPLATE_LOCKS = 0x524C_5401
    private const val OWNER_LOCKS = 0x524C_5402
    private val ownedName = Regex("rltest_([0-9a-f]{8})_[0-9]+")
    private val log = LoggerFactory.getLogger(DatabaseOwner::class.java)

    fun databaseName(owner: Int, number: Int): String = "rltest_%08x_%d".format(owner, number)

    fun enrol(session: Connection): Int {
        while (true) {
            val owner = Random.nextInt(0, Int.MAX_VALUE)
            if (session.textOf("SELECT pg_try_advisory_lock($OWNER_LOCKS, $owner)") == "t") return owner
        }
    }

    /**
     * Drops databases whose owner is gone. The names are read before the locks: an owner takes its lock before it creates a
     * database, so a name without a lock has no live owner. Databases with open connections, and those of other users, are not
     * dropped.
     */
    fun sweep(session: Connection) {
        val names = session.texts("SELECT datname FROM pg_database WHERE datname LIKE 'rltest\\_%'")
        // pg_locks shows the locks of all databases; pg_try_advisory_lock sees only those of the session's database.
        val living = session.texts("SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND classid = $OWNER_LOCKS").toSet()
        for (name in names) {
            val owner = ownedName.matchEntire(name)?.groupValues?.get(1)?.toInt(radix = 16) ?: continue
            if (owner.toString() !in living) dropIfUnused(session, name)
        }
    }

    private fun dropIfUnused(session: Connection, name: String) = try {
        session.run("DROP DATABASE IF EXISTS $name")
        log.info("Dropped test database {} of a JVM that has ended.", name)
    } catch (refused: SQLException) {
        log.debug("Did not drop test database {}: {}", name, refused.message)
    }

    private fun Connection.texts(sql: String): List<String> = createStatement().use { statement ->
        statement.executeQuery(sql).use { rows -> buildList { while (rows.next()) add(rows.getString(1)) } }
    }
}
