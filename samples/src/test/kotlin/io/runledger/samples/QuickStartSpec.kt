package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.postgres.TestPostgres

class QuickStartSpec :
    FunSpec({
        test("a client on any data source makes its own schema") {
            TestPostgres.shared().freshDatabase().use { database ->
                val dataSource = database.dataSource()

                val client = RunledgerClient.create(dataSource)
                client.migrate()
                client.definitions.declare(OrderJobs.ship)

                client.schema shouldBe "runledger"
                client.requireCompatibleSchema()
            }
        }
    })
