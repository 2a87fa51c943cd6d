package io.runledger.postgres

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.sql.SQLException
import java.util.concurrent.Callable
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

class TestPostgresSpec :
    FunSpec({
        val postgres = TestPostgres.shared()

        test("there is one server per JVM") {
            TestPostgres.shared() shouldBeSameInstanceAs postgres
        }

        test("fresh databases do not see each other's tables") {
            postgres.freshDatabase().use { one ->
                postgres.freshDatabase().use { other ->
                    one.execute("CREATE TABLE mine (id int)")

                    other.text("SELECT to_regclass('mine')") shouldBe null
                    one.name shouldNotBe other.name
                }
            }
        }

        test("a closed database is gone, though somebody was still connected") {
            val database = postgres.freshDatabase()
            database.connect().use { session ->
                database.close()
                database.close()

                shouldThrow<SQLException> { session.run("SELECT 1") }
            }
            postgres.server.text("SELECT count(*) FROM pg_database WHERE datname = '${database.name}'") shouldBe "0"
        }

        test("a database outlived by nothing closes without complaint") {
            val server = EmbeddedPostgres.start()
            val database = TestPostgres.on(server).freshDatabase()

            server.close()

            database.close()
        }

        test("a template is prepared once for eight threads that want it at the same time") {
            val prepared = AtomicInteger()
            val template = DatabaseTemplate("Raced for, ${System.nanoTime()}") {
                prepared.incrementAndGet()
                it.execute("CREATE TABLE filled (id int)", "INSERT INTO filled VALUES (1)")
            }

            val counts = race(8) {
                postgres.freshDatabase(template).use { copy ->
                    copy.execute("INSERT INTO filled VALUES (2)")
                    copy.text("SELECT count(*) FROM filled")
                }
            }

            counts shouldBe List(8) { "2" }
            prepared.get() shouldBe 1
        }

        test("a preparation that leaves a connection open does not stand in the way of copies") {
            val template =
                DatabaseTemplate("Left open, ${System.nanoTime()}") { it.connect().run("CREATE TABLE filled (id int)") }

            postgres.freshDatabase(template).use { it.text("SELECT count(*) FROM filled") shouldBe "0" }
        }

        test("a preparation that fails leaves no database and is tried again") {
            val attempts = AtomicInteger()
            val template = DatabaseTemplate("Fails first, ${System.nanoTime()}") {
                it.execute("CREATE TABLE filled (id int)")
                check(attempts.incrementAndGet() > 1) { "not yet" }
            }
            val count = "SELECT count(*) FROM pg_database"
            val before = postgres.server.text(count)

            shouldThrow<IllegalStateException> { postgres.freshDatabase(template) }.message shouldBe "not yet"

            postgres.server.text(count) shouldBe before
            postgres.freshDatabase(template).use { it.text("SELECT count(*) FROM filled") shouldBe "0" }
        }

        test("copies of a durable server's template work too") {
            EmbeddedPostgres.builder().durable().start().use { server ->
                val template = DatabaseTemplate("durable") { it.execute("CREATE TABLE filled (id int)") }

                TestPostgres.on(server).freshDatabase(template).use { it.text("SELECT count(*) FROM filled") shouldBe "0" }
            }
        }
    })

/** Runs [work] in [threads] threads that begin together. */
fun <T> race(threads: Int, work: (Int) -> T): List<T> {
    val pool = Executors.newFixedThreadPool(threads)
    val start = CyclicBarrier(threads)
    try {
        val runs = List(threads) { number ->
            pool.submit(
                Callable {
                    start.await()
                    work(number)
                },
            )
        }
        return runs.map { it.get() }
    } finally {
        pool.shutdown()
    }
}
