package io.runledger.exposed.signal

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import com.zaxxer.hikari.util.Credentials
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.until
import org.postgresql.PGConnection
import org.postgresql.ds.PGSimpleDataSource
import java.net.Socket
import java.sql.Connection
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import javax.net.SocketFactory
import javax.sql.DataSource

class PromptConnectionsSpec :
    FunSpec({
        fun TestLedger.config(parameters: String = "") = HikariConfig().also {
            it.jdbcUrl = database.jdbcUrl + parameters
            it.username = database.user
            it.password = database.password
            it.maximumPoolSize = 2
        }

        fun TestLedger.isOpen(pid: Int) = value("SELECT count(*) FROM pg_stat_activity WHERE pid = $pid") == "1"

        /** Whether a connection of [dataSource] is replaced. */
        fun isReplaced(dataSource: DataSource, prompt: PromptConnections = PromptConnections(dataSource)): Boolean =
            dataSource.connection.use { given ->
                val pid = given.pid
                prompt.insteadOf(given) { it.pid != pid }
            }

        test("a pool over the address of a server gets a prompt connection in place of the given one, and no session more") {
            val ledger = freshLedger()
            val pool = autoClose(HikariDataSource(ledger.config()))
            pool.connection.use { given ->
                val pid = given.pid
                PromptConnections(pool).insteadOf(given) { prompt ->
                    prompt.pid shouldNotBe pid
                    until("the given session has ended") { !ledger.isOpen(pid) }
                    pool.hikariPoolMXBean.activeConnections shouldBe 1
                }
            }

            pool.connection.use { pool.connection.use { it.isValid(5) shouldBe true } }
        }

        test("the driver's simple data source gets a prompt connection") {
            isReplaced(freshLedger().dataSource) shouldBe true
        }

        test("a data source whose settings are not known completely is used as it is") {
            val ledger = freshLedger()
            val overDataSource = HikariConfig().also { it.dataSource = ledger.dataSource }
            class Subclass(config: HikariConfig) : HikariDataSource(config)

            isReplaced(autoClose(HikariDataSource(overDataSource))) shouldBe false
            isReplaced(autoClose(Subclass(ledger.config()))) shouldBe false
            isReplaced(object : DataSource by ledger.dataSource {}) shouldBe false
        }

        test("a socket factory of the service stays, in the address or in the properties") {
            val ledger = freshLedger()
            val name = CountedSockets::class.java.name
            val inProperties = ledger.config().also { it.addDataSourceProperty("socketFactory", name) }
            val simple = (ledger.dataSource as PGSimpleDataSource).also { it.socketFactory = name }

            isReplaced(autoClose(HikariDataSource(ledger.config("?socketFactory=$name")))) shouldBe false
            isReplaced(autoClose(HikariDataSource(inProperties))) shouldBe false
            isReplaced(simple) shouldBe false
        }

        test("credentials of a provider are used; if they are refused, the given connection is used from then on") {
            val ledger = freshLedger()
            val asked = AtomicInteger()
            val isExpired = AtomicBoolean()
            val config = HikariConfig().also {
                it.jdbcUrl = ledger.database.jdbcUrl
                it.maximumPoolSize = 1
                it.setCredentialsProvider {
                    asked.incrementAndGet()
                    Credentials.of(ledger.database.user, if (isExpired.get()) "expired" else ledger.database.password)
                }
            }
            val pool = autoClose(HikariDataSource(config))
            isReplaced(pool) shouldBe true
            pool.connection.close()
            isExpired.set(true)
            val prompt = PromptConnections(pool)
            isReplaced(pool, prompt) shouldBe false
            val tries = asked.get()

            isReplaced(pool, prompt) shouldBe false
            asked.get() shouldBe tries
        }

        test("a prompt listener hears commits, survives the loss of its session, and returns its place in the pool") {
            val ledger = freshLedger().define("mail")
            val pool = autoClose(HikariDataSource(ledger.config()))
            val client = RunledgerClient.create(pool)
            val heard = Heard()
            client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.enqueue()
                heard.shouldHear(Signal.DueJobs("mail"))
                ledger.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
                heard.await(Signal.Resumed)
                ledger.enqueue()
                heard.shouldHear(Signal.DueJobs("mail"))
            }

            until("the place is free") { !client.signals.isListening && pool.hikariPoolMXBean.activeConnections == 0 }
            pool.connection.use { pool.connection.use { it.isValid(5) shouldBe true } }
        }

        test("a prompt listener ends when its pool is closed") {
            val ledger = freshLedger()
            val pool = HikariDataSource(ledger.config())
            val client = RunledgerClient.create(pool)
            val heard = Heard()
            client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                pool.close()
                until("the session has ended") {
                    ledger.value(
                        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
                    ) ==
                        "0"
                }
                client.signals.isListening shouldBe false
            }
        }
    })

private val Connection.pid: Int get() = unwrap(PGConnection::class.java).backendPID

/** A socket factory of a service. */
class CountedSockets : SocketFactory() {
    override fun createSocket(): Socket = Socket()

    override fun createSocket(host: String?, port: Int) = Socket(host, port)

    override fun createSocket(host: String?, port: Int, localHost: java.net.InetAddress?, localPort: Int) =
        Socket(host, port, localHost, localPort)

    override fun createSocket(host: java.net.InetAddress?, port: Int) = Socket(host, port)

    override fun createSocket(address: java.net.InetAddress?, port: Int, localAddress: java.net.InetAddress?, localPort: Int) =
        Socket(address, port, localAddress, localPort)
}
