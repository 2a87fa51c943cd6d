package io.runledger.postgres

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.postgres.error.PostgresUnavailableException
import java.net.InetAddress
import java.net.ServerSocket
import java.sql.DriverManager
import java.sql.SQLException
import java.util.TimeZone

class EmbeddedPostgresSpec :
    FunSpec({
        test("a closed server leaves no process and no directory") {
            val before = ProcessHandle.current().descendants().toList()
            val server = EmbeddedPostgres.start()
            val process = ProcessHandle.of(server.pid).orElseThrow()
            val home = server.dataDirectory.parent
            home.shouldExist()

            server.close()
            server.close()

            process.isAlive shouldBe false
            home.shouldNotExist()
            ProcessHandle.current().descendants().toList() shouldContainExactly before
        }

        test("a durable server has every committed row after it was killed") {
            EmbeddedPostgres.builder().durable().start().use { server ->
                val database = server.database("postgres")
                database.execute("CREATE TABLE kept (id int PRIMARY KEY)", "INSERT INTO kept SELECT generate_series(1, 1000)")
                val killed = ProcessHandle.of(server.pid).orElseThrow()
                val port = server.port
                val processes = listOf(killed) + killed.children().toList()

                server.kill()

                processes.filter { it.isAlive } shouldBe emptyList()
                shouldThrow<SQLException> { database.connect() }
                shouldThrow<IllegalStateException> { server.pid }

                server.restart()

                server.port shouldBe port
                database.text("SELECT count(*) FROM kept") shouldBe "1000"
            }
        }

        test("a restart of a running server keeps its data") {
            EmbeddedPostgres.start().use { server ->
                server.database("postgres").execute("CREATE TABLE kept (id int)")
                val before = server.pid

                server.restart()

                (server.pid == before) shouldBe false
                server.text("SELECT count(*) FROM kept") shouldBe "0"
            }
        }

        test("a closed server cannot be restarted") {
            val server = EmbeddedPostgres.start().also { it.close() }

            shouldThrow<IllegalStateException> { server.restart() }.message shouldContain "Start a new server"
        }

        test("durability is off unless asked for, and all of it is on then") {
            val settings = listOf("fsync", "synchronous_commit", "full_page_writes")

            EmbeddedPostgres.start().use { server -> settings.map { server.text("SHOW $it") }.toSet() shouldBe setOf("off") }
            EmbeddedPostgres.builder().durable().start().use { server ->
                settings.map { server.text("SHOW $it") }.toSet() shouldBe setOf("on")
            }
        }

        test("a setting given wins over ours, and ALTER SYSTEM over both") {
            EmbeddedPostgres.builder().setting(
                "shared_buffers",
                "24MB",
            ).setting("cluster_name", "it's me").start().use { server ->
                server.text("SHOW shared_buffers") shouldBe "24MB"
                server.text("SHOW cluster_name") shouldBe "it's me"

                server.database("postgres").execute("ALTER SYSTEM SET shared_buffers = '32MB'")
                server.restart()

                server.text("SHOW shared_buffers") shouldBe "32MB"
            }
        }

        context("a server for tests") {
            val server = EmbeddedPostgres.start()
            afterSpec { server.close() }

            test("lives in a time zone that is neither UTC nor the JVM's") {
                val zone = server.text("SELECT setting FROM pg_file_settings WHERE name = 'timezone' AND applied")

                zone shouldBe "Asia/Kathmandu"
                listOf("UTC", TimeZone.getDefault().id) shouldNotContain zone
            }

            test("can count statements") {
                val database = server.database("postgres")
                database.execute("CREATE EXTENSION pg_stat_statements", "SELECT 42 AS counted", "SELECT 43 AS counted")

                database.text("SELECT calls FROM pg_stat_statements WHERE query LIKE 'SELECT $1 AS counted'") shouldBe "2"
            }

            test("refuses a wrong password and an unknown role") {
                val url = server.jdbcUrl("postgres")

                shouldThrow<SQLException> { DriverManager.getConnection(url, server.user, "wrong") }.sqlState shouldBe "28P01"
                shouldThrow<SQLException> { DriverManager.getConnection(url, "stranger", server.password) }.sqlState shouldBe
                    "28P01"
            }

            test("stores text as UTF-8") {
                server.text("SELECT 'Ω' || current_setting('server_encoding')") shouldBe "ΩUTF8"
            }
        }

        test("a taken port is named as the reason") {
            ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")).use { taken ->
                val failure =
                    shouldThrow<PostgresUnavailableException> { EmbeddedPostgres.builder().port(taken.localPort).start() }

                failure.message shouldContain "The port is in use"
                failure.message shouldContain "port ${taken.localPort}"
            }
        }

        test("a server that does not come up shows the end of its log and leaves nothing") {
            val cache = tempdir().toPath().openToAll()

            val failure = shouldThrow<PostgresUnavailableException> {
                EmbeddedPostgres.builder().cache(cache).setting("no_such_setting", "1").start()
            }

            failure.message shouldContain "unrecognized configuration parameter \"no_such_setting\""
            cache.resolve("servers").toFile().list()!!.toList() shouldBe emptyList()
        }

        test("a directory of one's own is used again and never removed") {
            val directory = tempdir().toPath().openToAll().resolve("mine")
            EmbeddedPostgres.builder().directory(directory).start().use { server ->
                server.database("postgres").execute("CREATE TABLE kept (id int)", "INSERT INTO kept VALUES (7)")
                shouldThrow<PostgresUnavailableException> { EmbeddedPostgres.builder().directory(directory).start() }
                    .message shouldContain "in use"
            }

            directory.shouldExist()
            EmbeddedPostgres.builder().directory(directory).start().use { it.text("SELECT id FROM kept") shouldBe "7" }
        }

        test("kept data outlives the server") {
            val cache = tempdir().toPath().openToAll()
            val server = EmbeddedPostgres.builder().cache(cache).keepData().start()
            server.close()

            EmbeddedPostgres.builder().cache(cache).start().close()

            server.dataDirectory.resolve("PG_VERSION").shouldExist()
        }
    })
