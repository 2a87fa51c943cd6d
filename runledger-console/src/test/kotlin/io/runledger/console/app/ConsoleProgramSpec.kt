package io.runledger.console.app

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.PostgresDatabase
import io.runledger.postgres.TestPostgres
import io.runledger.test.TestLedger
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.net.CookieManager
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.time.Duration

/** One start of the program, with what it prints. */
private class Start(database: PostgresDatabase, vararg arguments: String, environment: Map<String, String>? = null) :
    AutoCloseable {
    private val written = ByteArrayOutputStream()
    private val stream = PrintStream(written, true)
    private val program = ConsoleProgram(environment ?: mapOf("RUNLEDGER_PASSWORD" to database.password), stream, stream)
    val outcome = program.start(listOf("--url", database.jdbcUrl, "--user", database.user, "--port", "0") + arguments)
    val output: String get() = written.toString()
    val started: ConsoleProgram.Started get() = outcome.shouldBeInstanceOf<ConsoleProgram.Started>()

    override fun close() {
        (outcome as? AutoCloseable)?.close()
    }
}

class ConsoleProgramSpec :
    FunSpec({
        val ledger = autoClose(TestLedger.fresh())

        fun get(http: HttpClient, address: URI, vararg headers: String): HttpResponse<String> {
            val request = HttpRequest.newBuilder(address)
            if (headers.isNotEmpty()) request.headers(*headers)
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString())
        }

        fun browser() = HttpClient.newBuilder().cookieHandler(CookieManager()).build()

        test("the printed address signs in, and the token leaves the address bar") {
            Start(ledger.database).use { start ->
                start.output shouldContain "Open ${start.started.signIn}"
                val http = browser()

                val first = get(http, start.started.signIn)
                first.statusCode() shouldBe 303
                first.headers().firstValue("Location").get() shouldBe "/"
                val cookie = first.headers().firstValue("Set-Cookie").get()
                listOf("HttpOnly", "SameSite=Strict", "Path=/").forEach { cookie shouldContain it }
                cookie shouldNotContain start.started.signIn.query.substringAfter('=')

                val page = get(http, start.started.signIn.resolve("/"))
                page.statusCode() shouldBe 200
                page.body() shouldContain "Sign out"
                get(browser(), start.started.signIn.resolve("/")).run {
                    statusCode() shouldBe 401
                    body() shouldContain "Open the address"
                }
            }
        }

        test("a signed-out browser has to sign in again, and a question alone signs nobody out") {
            Start(ledger.database).use { start ->
                val http = browser()
                get(http, start.started.signIn)
                val home = start.started.signIn.resolve("/")
                val out = start.started.signIn.resolve("/sign-out")

                get(http, out).body() shouldContain "<form"
                get(http, home).statusCode() shouldBe 200
                val post = HttpRequest.newBuilder(out).POST(HttpRequest.BodyPublishers.noBody()).build()
                http.send(post, HttpResponse.BodyHandlers.ofString()).statusCode() shouldBe 200

                get(http, home).statusCode() shouldBe 401
            }
        }

        test("wrong tokens are refused, and soon not even looked at") {
            Start(ledger.database).use { start ->
                val wrong = start.started.signIn.resolve("/sign-in?token=wrong")
                val http = HttpClient.newHttpClient()

                val statuses = List(7) { get(http, wrong).statusCode() }

                statuses.take(5).toSet() shouldBe setOf(401)
                statuses.takeLast(2).toSet() shouldBe setOf(429)
                get(http, start.started.signIn).statusCode() shouldBe 429
            }
        }

        test("it only reads unless it is told otherwise") {
            Start(ledger.database).use { start ->
                val http = browser()
                get(http, start.started.signIn)
                get(http, start.started.signIn.resolve("/")).body() shouldContain "viewer"
                start.output shouldContain "It only reads."
            }
            Start(ledger.database, "--role", "operator").use { start ->
                val http = browser()
                get(http, start.started.signIn)
                get(http, start.started.signIn.resolve("/")).body() shouldContain "operator"
                start.output shouldContain "as operator"
            }
        }

        test("the password comes from the environment or a file, and never from the command line") {
            val password = ledger.database.password
            val file = Files.createTempFile("password", ".txt").also { Files.writeString(it, "$password\n") }
            Start(ledger.database, environment = mapOf("PGPASSWORD" to password)).use { it.started }
            Start(ledger.database, "--password-file=$file", environment = emptyMap()).use { it.started }

            listOf(
                listOf("--password", "secret-1"),
                listOf("--password=secret-1"),
                listOf("--replica-url", "jdbc:postgresql://h/d?password=secret-1"),
            )
                .forEach { arguments ->
                    Start(ledger.database, *arguments.toTypedArray()).use { start ->
                        start.outcome.shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 2
                        start.output shouldContain "RUNLEDGER_PASSWORD"
                        start.output shouldNotContain "secret-1"
                    }
                }
            Files.delete(file)
        }

        test("it says what is wrong with the options") {
            mapOf(
                listOf("--prot", "1") to "'--prot' is not an option",
                listOf("--replica-url") to "--replica-url has no value",
                listOf("--port", "1") to "--port is given twice",
                listOf("--role", "king") to "--role is 'king'",
                listOf("--read-only", "--role", "operator") to "contradict each other",
                listOf("--bind", "no such host.") to "--bind is 'no such host.'",
                listOf("--schema", "no schema") to "--schema no schema",
                listOf("--user", "me") to "--user is given twice",
                listOf("--password-file", "/nowhere/at/all") to "cannot be read",
            ).forEach { (arguments, message) ->
                Start(ledger.database, *arguments.toTypedArray()).use { start ->
                    withClue(arguments) {
                        start.outcome.shouldBeInstanceOf<ConsoleProgram.Ended>()
                        start.output shouldContain message
                        start.output.lines().filter { "Exception" in it && "NoSuchFile" !in it }.shouldBeEmpty()
                    }
                }
            }
        }

        test("it says what is wrong with the database") {
            val empty = autoClose(TestPostgres.shared().freshDatabase())
            Start(empty).use { start ->
                start.outcome.shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 1
                start.output shouldContain "[schema.missing]"
                start.output shouldContain "--schema"
            }

            val old = autoClose(TestPostgres.shared().freshDatabase())
            RunledgerClient.create(old.dataSource()).migrate()
            old.connect().use { connection ->
                connection.createStatement().execute(
                    "DELETE FROM runledger.runledger_schema_history WHERE installed_rank = " +
                        "(SELECT max(installed_rank) FROM runledger.runledger_schema_history)",
                )
            }
            Start(old).use { start ->
                start.outcome.shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 1
                start.output shouldContain "older version"
            }

            Start(ledger.database, "--replica-url", "jdbc:postgresql://localhost:1/none").use { start ->
                start.outcome.shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 1
                start.output shouldContain "jdbc:postgresql://localhost:1/none cannot be shown"
                start.output shouldContain "[db.unreachable]"
                start.output shouldNotContain "No password is set"
            }
            Start(ledger.database, "--replica-url", "jdbc:postgresql://localhost:1/none", environment = emptyMap()).use { start ->
                start.output shouldContain "No password is set"
            }
        }

        test("a port that is in use is named") {
            ServerSocket(0).use { taken ->
                val written = ByteArrayOutputStream()
                val stream = PrintStream(written, true)
                val arguments = listOf(
                    "--url",
                    ledger.database.jdbcUrl,
                    "--user",
                    ledger.database.user,
                    "--bind",
                    "0.0.0.0",
                    "--port",
                    "${taken.localPort}",
                )

                val outcome = ConsoleProgram(mapOf("PGPASSWORD" to ledger.database.password), stream, stream).start(arguments)

                outcome.shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 1
                written.toString() shouldContain "Port ${taken.localPort}"
            }
        }

        test("it warns when other machines can reach it") {
            Start(ledger.database, "--bind", "0.0.0.0").use { it.output shouldContain "Warning: the console listens on 0.0.0.0" }
            Start(ledger.database).use { it.output shouldNotContain "Warning" }
        }

        test("help and version need no database") {
            val written = ByteArrayOutputStream()
            val program = ConsoleProgram(emptyMap(), PrintStream(written, true), System.err)

            listOf("--help", "--version").forEach {
                program.start(listOf(it)).shouldBeInstanceOf<ConsoleProgram.Ended>().status shouldBe 0
            }
            written.toString() shouldContain "--replica-url"
        }

        test("a session ends when it is not used for long") {
            var now = 0L
            val sessions = Sessions(Duration.ofHours(12)) { now }
            val id = sessions.open()

            now += Duration.ofHours(11).toNanos()
            sessions.isOpen(id) shouldBe true
            now += Duration.ofHours(11).toNanos()
            sessions.isOpen(id) shouldBe true
            now += Duration.ofHours(13).toNanos()
            sessions.isOpen(id) shouldBe false
            sessions.isOpen(null) shouldBe false
        }
    })
