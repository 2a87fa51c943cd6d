package io.runledger.exposed.claim

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.model.lease.ClaimRequest
import java.time.Duration

class KeptPlanSpec :
    FunSpec({
        /** How many statements of a claim the server keeps for a connection after one claim. */
        fun keptAfterOneClaim(parameters: String): Int {
            val ledger = freshLedger().define("mail")
            val config = HikariConfig().also {
                it.jdbcUrl = ledger.database.jdbcUrl + parameters
                it.username = ledger.database.user
                it.password = ledger.database.password
                it.maximumPoolSize = 1
            }
            val pool = autoClose(HikariDataSource(config))
            RunledgerClient.create(pool).leases.claim(ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 1))
            val sql = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%picked%'"
            return pool.connection.use { connection ->
                connection.createStatement().executeQuery(sql).use { rows -> rows.next().let { rows.getInt(1) } }
            }
        }

        test("the server keeps the plan of a claim from its first execution on a connection") {
            keptAfterOneClaim(parameters = "") shouldBe 1
        }

        test("a service that has turned kept statements off, for a pooler, gets none") {
            keptAfterOneClaim(parameters = "?prepareThreshold=0") shouldBe 0
        }
    })
