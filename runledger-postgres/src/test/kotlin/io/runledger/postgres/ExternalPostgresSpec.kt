package io.runledger.postgres

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.postgres.error.PostgresUnavailableException
import java.util.concurrent.atomic.AtomicInteger

class ExternalPostgresSpec :
    FunSpec({
        val server = autoClose(EmbeddedPostgres.start())
        val admin = server.database("postgres")
        val jdbc = "${server.jdbcUrl("postgres")}?user=${server.user}&password=${server.password}"

        fun external(url: String = jdbc) = TestPostgres.from(
            mapOf(
                "RUNLEDGER_TEST_DATABASE_URL" to url,
                "RUNLEDGER_TEST_PG_IMAGE" to "unused",
            ),
        )

        fun exists(name: String) = admin.text("SELECT count(*) FROM pg_database WHERE datname = '$name'") == "1"

        test("a running server is used as it is and left running") {
            val postgres = external()
            postgres.freshDatabase().use { it.text("SELECT current_database()") shouldBe it.name }
            postgres.server.majorVersion shouldBe server.majorVersion

            postgres.server.close()

            admin.text("SELECT 1") shouldBe "1"
        }

        test("both forms of address work, with awkward passwords and parameters") {
            admin.execute("CREATE ROLE \"a b\" LOGIN CREATEDB PASSWORD 'p@ss:w/rd+%?'")
            val encoded = "p%40ss%3Aw%2Frd%2B%25%3F"
            val addresses = listOf(
                "postgresql://a%20b:$encoded@127.0.0.1:${server.port}/postgres?ApplicationName=by%20address",
                "postgres://a%20b:$encoded@127.0.0.1:${server.port}?ApplicationName=by%20address",
                "jdbc:postgresql://127.0.0.1:${server.port}/postgres?user=a%20b&password=$encoded&ApplicationName=by%20address",
            )

            addresses.forEach { address ->
                val postgres = external(address)
                postgres.freshDatabase().use { it.text("SHOW application_name") shouldBe "by address" }
                postgres.freshDatabase(DatabaseTemplate("by address") { it.execute("CREATE TABLE t (id int)") }).use {
                    it.text("SELECT count(*) FROM t") shouldBe "0"
                }
                postgres.server.close()
            }
        }

        test("a role that may not create databases is told what it needs") {
            admin.execute("CREATE ROLE modest LOGIN PASSWORD 'modest'")

            val failure = shouldThrow<PostgresUnavailableException> {
                external("postgresql://modest:modest@127.0.0.1:${server.port}/postgres")
            }

            failure.message shouldContain "ALTER ROLE \"modest\" CREATEDB"
        }

        test("a refused login names server and user, not the password") {
            val failure = shouldThrow<PostgresUnavailableException> {
                external("postgresql://stranger:secret@127.0.0.1:${server.port}/postgres")
            }

            failure.message shouldContain "127.0.0.1:${server.port}"
            failure.message shouldContain "'stranger'"
            failure.message shouldNotContain "secret"
        }

        test("what is no address is answered with how to write one") {
            listOf("mysql://host/db", "localhost:5432", "jdbc:h2:mem:x", "jdbc:postgresql://a:1,b:2/x", "postgresql://").forEach {
                shouldThrow<PostgresUnavailableException> { external(it) }.message shouldContain "postgresql://me:secret@host"
            }
        }

        test("databases of an owner that is gone are dropped, those of a living one are not") {
            val gone = external()
            val living = external()
            val abandoned = gone.freshDatabase()
            val used = gone.freshDatabase()
            val owned = living.freshDatabase()
            admin.execute("CREATE DATABASE rltest_of_somebody_else")
            gone.server.close()

            used.connect().use { external().server.close() }

            exists(abandoned.name) shouldBe false
            exists(used.name) shouldBe true
            exists(owned.name) shouldBe true
            exists("rltest_of_somebody_else") shouldBe true
            living.server.close()
        }

        test("a template is prepared once by several owners that race for it, and found again later") {
            val prepared = AtomicInteger()
            val template = DatabaseTemplate("shared by owners") {
                prepared.incrementAndGet()
                it.execute("CREATE TABLE filled (id int)")
            }

            race(4) { external().run { freshDatabase(template).close() } }
            external().freshDatabase(template).use { it.text("SELECT count(*) FROM filled") shouldBe "0" }

            prepared.get() shouldBe 1
        }
    })
