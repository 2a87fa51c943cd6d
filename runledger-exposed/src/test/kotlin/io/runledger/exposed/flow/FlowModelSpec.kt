package io.runledger.exposed.flow

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.freshLedger
import kotlin.random.Random

/**
 * Random enqueues, claims, endings, cancellations, lost workers and changes of limits, compared with a model that knows which
 * jobs may begin: no claim takes another one, and none leaves one waiting. `-Drunledger.flows=100` tries more,
 * `-Drunledger.seed=…` the same again.
 */
class FlowModelSpec :
    FunSpec({
        val given = System.getProperty("runledger.seed")?.toLong()
        val seeds = given?.let { listOf(it) } ?: List(Integer.getInteger("runledger.flows", 3)) { Random.nextLong() }

        seeds.forEach { seed ->
            test("claims take what limits, rates and orders allow, and leave nothing that they allow (seed $seed)") {
                val ledger = freshLedger()
                // Two clients, because each has its own place in the turns of the shares.
                val workers = List(2) {
                    val config = HikariConfig().apply {
                        dataSource = ledger.dataSource
                        maximumPoolSize = 1
                    }
                    val pool = autoClose(HikariDataSource(config))
                    RunledgerClient.builder(pool).notifications(false).build()
                }
                val flow = RandomFlow(ledger, workers, Random(seed))

                repeat(4) {
                    repeat(75) { flow.act() }
                    flow.verify()
                }
                flow.finish()

                flow.verify()
                flow.begun shouldBeGreaterThan 100
            }
        }
    })
