package io.runledger.coroutines.crash

import io.runledger.coroutines.until
import io.runledger.postgres.PostgresServer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions.asFileAttribute
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import java.nio.file.attribute.PosixFilePermissions.fromString as permissions

/** A primary and its synchronous standby. Connections name both servers and get the primary. */
internal class ReplicatedPostgres private constructor(private val home: Path, private val replicas: List<Replica>) :
    PostgresServer(Replica.HOST, replicas.first().port, Replica.USER, PASSWORD, "postgres") {
    var primary = replicas.first()
        private set

    val standby: Replica get() = replicas.single { it !== primary }

    override fun jdbcUrl(database: String): String {
        val hosts = replicas.joinToString(",") { "$host:${it.port}" }
        // Without an explicit sslmode the driver tries a host twice, and waits twice if it does not respond.
        return "jdbc:postgresql://$hosts/$database?targetServerType=primary&socketTimeout=2&hostRecheckSeconds=60&sslmode=disable"
    }

    /** Makes the standby the primary. The caller handles the other server. */
    fun promote() {
        standby.promote()
        primary = standby
    }

    /** Makes a standby of the replica that is none, and lets the primary wait for it from now on. Returns when it does. */
    suspend fun pairUp() {
        standby.follow(primary)
        until("the standby receives") {
            primary.ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "1"
        }
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.ask("SELECT pg_reload_conf()")
        // A new session has the setting after all processes have reloaded it, and the checkpointer reads it before a checkpoint.
        until("the primary has read its settings") { primary.ask("SHOW synchronous_standby_names") == "*" }
        primary.ask("CHECKPOINT")
    }

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        replicas.forEach { it.kill() }
        home.deleteRecursively()
    }

    companion object {
        private const val PASSWORD = "a secret of the test"

        suspend fun start(postgres: InstalledPostgres): ReplicatedPostgres {
            val home = Files.createTempDirectory("replicated", asFileAttribute(permissions("rwxr-xr-x")))
            val pair = ReplicatedPostgres(home, List(2) { Replica(postgres, home.resolve("$it"), PASSWORD) })
            try {
                pair.primary.begin()
                pair.pairUp()
                return pair
            } catch (failure: Exception) {
                pair.close()
                throw failure
            }
        }
    }
}
