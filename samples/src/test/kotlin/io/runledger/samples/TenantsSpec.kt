package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledgers
import io.runledger.postgres.TestPostgres
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

class TenantsSpec :
    FunSpec({
        test("customers come, get their letters, and go, and a new process serves those that are left and sound") {
            val database = autoClose(TestPostgres.shared().freshDatabase())
            val posted = LinkedBlockingQueue<String>()
            fun open() = Tenants(database.dataSource()) { tenant, letter ->
                posted += "$tenant: ${letter.subject} to ${letter.reader}"
            }
            fun nextLetters(count: Int) = List(count) { posted.poll(1, TimeUnit.MINUTES) }.sortedBy { it.orEmpty() }

            open().use { tenants ->
                listOf("acme", "globex", "acme").forEach(tenants::welcome)
                tenants.publish("acme", Newsletter("Spring", listOf("Ada", "Bob")))
                tenants.publish("globex", Newsletter("Autumn", listOf("Eve")))

                nextLetters(3) shouldContainExactly
                    listOf("acme: Spring to Ada", "acme: Spring to Bob", "globex: Autumn to Eve")
                tenants.farewell("acme") shouldBe 0
            }
            val ledgers = Ledgers.of(database.dataSource())
            ledgers.create("aperture")
            database.connect().use { connection ->
                connection.createStatement().use { it.execute("UPDATE aperture.runledger_schema_history SET checksum = 1") }
            }
            open().use { tenants ->
                tenants.open() shouldBe mapOf("aperture" to "the ledger is ALTERED")
                tenants.publish("globex", Newsletter("Winter", listOf("Eve")))
                nextLetters(1) shouldContainExactly listOf("globex: Winter to Eve")
            }

            ledgers.list().map { it.schema } shouldContainExactly listOf("aperture", "globex")
            ledgers.client("globex").verify().contradictions().shouldBeEmpty()
        }
    })
