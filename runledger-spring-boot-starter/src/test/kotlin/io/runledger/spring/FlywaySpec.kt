package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient

class FlywaySpec :
    FunSpec({
        test("the application's Flyway and the ledger's migrations have histories of their own, in any order of upgrades") {
            val database = freshDatabase()
            val flyway = arrayOf("spring.flyway.enabled=true", "spring.flyway.locations=classpath:io/runledger/spring/shop")

            application(database, *flyway).close()
            database.rows("SELECT version FROM flyway_schema_history ORDER BY installed_rank") shouldBe listOf("1")
            database.jobs() shouldBe 0
            val ledgers = database.value("SELECT count(*) FROM runledger.runledger_schema_history").toInt()
            ledgers shouldBeGreaterThan 1

            application(database, *flyway).close()
            database.rows("SELECT version FROM flyway_schema_history ORDER BY installed_rank") shouldBe listOf("1")
            database.value("SELECT count(*) FROM runledger.runledger_schema_history").toInt() shouldBe ledgers
        }

        test("an application adds its Flyway to a database that already has a ledger") {
            val database = freshDatabase()
            RunledgerClient.create(database.dataSource()).migrate()

            application(
                database,
                "spring.flyway.enabled=true",
                "spring.flyway.locations=classpath:io/runledger/spring/shop",
            ).close()

            database.value("SELECT count(*) FROM shop_orders") shouldBe "1"
        }

        test("the application's migrations run before the ledger's") {
            val database = freshDatabase()

            // The migration creates the schema of the ledger; it would fail if the ledger were there already.
            application(
                database,
                "spring.flyway.enabled=true",
                "spring.flyway.locations=classpath:io/runledger/spring/schema",
            ).close()

            database.jobs() shouldBe 0
        }
    })
