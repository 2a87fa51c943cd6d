package io.runledger.exposed.signal

import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldHaveLength
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.schema.Channel
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.until
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.TestPostgres
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean
import javax.sql.DataSource

class SignalsSpec :
    FunSpec({
        val due = Signal.DueJobs("mail")

        fun ledger() = freshLedger().apply { define("mail") }

        test("a subscriber hears of a commit, first of all that it hears") {
            val ledger = ledger()
            val heard = Heard()
            ledger.client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.client.signals.isListening shouldBe true
                ledger.enqueue()
                heard.shouldHear(due)
            }
            until("nobody listens any more") { !ledger.client.signals.isListening }
        }

        test("all subscribers share one connection, and the last to leave closes it") {
            val ledger = ledger()
            val (first, second) = List(2) { Heard() }
            val one = ledger.client.signals.subscribe(first)
            first.shouldHear(Signal.Resumed)
            val two = ledger.client.signals.subscribe(second)
            second.shouldHear(Signal.Resumed)
            ledger.listeners() shouldBe 1

            one.close()
            one.close()
            ledger.enqueue()
            second.shouldHear(due)

            two.close()
            ledger.awaitNoListener()
            ledger.client.signals.subscribe(first).use { first.shouldHear(Signal.Resumed) }
        }

        test("a subscriber that throws hurts nobody") {
            val ledger = ledger()
            val heard = Heard()
            val broken = SignalSubscriber { error("broken") }
            ledger.client.signals.subscribe(broken).use {
                ledger.client.signals.subscribe(heard).use {
                    heard.shouldHear(Signal.Resumed)
                    ledger.enqueue()
                    heard.shouldHear(due)
                }
            }
        }

        test("what it does not know it ignores") {
            val ledger = ledger()
            val heard = Heard()
            val id = UUID.randomUUID()
            ledger.client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                listOf("", "z:1", "j", "j:", "r:1", "c", "r:$id", "g:$id", "c:$id").forEach {
                    ledger.run("NOTIFY runledger_runledger, '$it'")
                }
                heard.shouldHear(Signal.EndedRun(id))
                heard.shouldHear(Signal.OpenedGate(id))
                heard.shouldHear(Signal.CanceledJob(id))
            }
        }

        test("a lost connection is replaced, and the subscribers are told to look") {
            val ledger = ledger()
            val heard = Heard()
            ledger.client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.run("SELECT pg_terminate_backend(pid) $LISTENERS")
                heard.shouldHear(Signal.Resumed)
                ledger.enqueue()
                heard.shouldHear(due)
            }
        }

        test("an error ends no listening: it begins again") {
            val ledger = ledger()
            val isBroken = AtomicBoolean(true)
            val moody = object : DataSource by ledger.dataSource {
                override fun getConnection(): Connection = if (isBroken.getAndSet(
                        false,
                    )
                ) {
                    throw NoClassDefFoundError("org/example/Driver")
                } else {
                    ledger.dataSource.connection
                }
            }
            val heard = Heard()
            RunledgerClient.builder(ledger.dataSource).listenWith(moody).build().signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.enqueue()
                heard.shouldHear(due)
            }
            isBroken.get() shouldBe false
        }

        test("a server that restarts is listened to again; one that is away is subscribed to without a word") {
            EmbeddedPostgres.builder().durable().start().use { server ->
                val database = TestPostgres.on(server).freshDatabase()
                val ledger = TestLedger(database)
                ledger.client.migrate()
                ledger.define("mail")
                server.kill()
                val heard = Heard()
                ledger.client.signals.subscribe(heard).use {
                    server.restart()
                    heard.shouldHear(Signal.Resumed)
                    server.restart()
                    heard.shouldHear(Signal.Resumed)
                    ledger.enqueue()
                    heard.shouldHear(due)
                }
            }
        }

        test("with notifications off nothing is opened") {
            val ledger = ledger()
            val silent = RunledgerClient.builder(ledger.dataSource).notifications(false).listenWith(unreachable()).build()
            silent.signals.isEnabled shouldBe false
            silent.signals.isListening shouldBe false
            val heard = Heard()
            silent.signals.subscribe(heard).use {
                ledger.enqueue()
                ledger.listeners() shouldBe 0
            }
            heard.shouldHaveHeardNothing()
        }

        test("two ledgers in one database do not hear each other") {
            val ledger = ledger()
            val other = RunledgerClient.builder(ledger.dataSource).schema("other").build().apply { migrate() }
            val (here, there) = List(2) { Heard() }
            ledger.client.signals.subscribe(here).use {
                other.signals.subscribe(there).use {
                    here.shouldHear(Signal.Resumed)
                    there.shouldHear(Signal.Resumed)
                    ledger.run("NOTIFY runledger_other, 'j:there'")
                    ledger.enqueue()
                    here.shouldHear(due)
                    there.shouldHear(Signal.DueJobs("there"))
                }
            }
        }

        test("the only connection of a pool is left to those who need it") {
            val ledger = ledger()
            val pool = autoClose(ledger.pool(1))
            val client = RunledgerClient.create(pool)
            val heard = Heard()
            client.signals.subscribe(heard).use {
                repeat(20) { client.definitions.get("mail").jobType() shouldBe "mail" }
            }
            heard.shouldHaveHeardNothing()
        }

        test("a pool goes back to its full size when nobody listens any more") {
            val ledger = ledger()
            val pool = autoClose(ledger.pool(2))
            val client = RunledgerClient.create(pool)
            val heard = Heard()
            client.signals.subscribe(heard).use { heard.shouldHear(Signal.Resumed) }
            pool.connection.use { pool.connection.use { ledger.listeners() shouldBe 0 } }
        }

        test("a pool that is closed under the listener has nothing to complain of") {
            val ledger = ledger()
            val pool = HikariDataSource(HikariConfig().also { it.dataSource = ledger.dataSource })
            val client = RunledgerClient.create(pool)
            val logged = ListAppender<ILoggingEvent>().also { it.start() }
            val loggers = listOf("com.zaxxer.hikari.pool.ProxyConnection", Signals::class.java.name)
                .map { LoggerFactory.getLogger(it) as Logger }
            val heard = Heard()
            client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                loggers.forEach { it.addAppender(logged) }
                pool.close()
                until("the listener says that it does not listen") {
                    logged.list.toList().any {
                        it.loggerName ==
                            loggers.last().name
                    }
                }
            }
            loggers.forEach { it.detachAppender(logged) }
            logged.list.filter { it.loggerName == loggers.first().name }.map { it.formattedMessage }.shouldBeEmpty()
        }

        test("a data source of its own listens for a client whose pool cannot spare a connection") {
            val ledger = ledger()
            val client = RunledgerClient.builder(autoClose(ledger.pool(1))).listenWith(ledger.dataSource).build()
            val heard = Heard()
            client.signals.subscribe(heard).use {
                heard.shouldHear(Signal.Resumed)
                ledger.enqueue()
                heard.shouldHear(due)
            }
        }

        test("the channel of a long schema name is short enough, and its own") {
            val long = "a".repeat(63)
            Channel(SchemaName("runledger")).name shouldBe "runledger_runledger"
            Channel(SchemaName(long)).name shouldHaveLength 50
            (Channel(SchemaName(long)).name == Channel(SchemaName(long.dropLast(1) + "b")).name) shouldBe false
        }
    })

private fun TestLedger.pool(size: Int) = HikariDataSource(
    HikariConfig().also {
        it.dataSource = dataSource
        it.maximumPoolSize = size
    },
)

private fun unreachable() = org.postgresql.ds.PGSimpleDataSource().also { it.setURL("jdbc:postgresql://localhost:1/none") }

private const val LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"

private fun TestLedger.listeners(): Int = value("SELECT count(*) $LISTENERS").toInt()

/** Returns when the server reports no listeners, without guessing a time. */
private fun TestLedger.awaitNoListener() {
    until("nobody listens") { listeners() == 0 }
}
