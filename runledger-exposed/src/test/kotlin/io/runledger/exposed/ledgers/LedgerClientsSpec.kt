package io.runledger.exposed.ledgers

import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.kotest.matchers.types.shouldNotBeSameInstanceAs
import io.runledger.exposed.Ledgers
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CyclicBarrier

class LedgerClientsSpec :
    FunSpec({
        test("whoever asks for a ledger's client gets the same one, also when many ask at once") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)
            val start = CyclicBarrier(4)

            val clients = List(4) {
                CompletableFuture.supplyAsync({
                    start.await()
                    List(100) { ledgers.client("t$it") }
                }) { Thread(it).start() }
            }.map { it.join() }

            clients.drop(1).forAll { others ->
                others.zip(clients.first()).forAll { (one, same) -> one shouldBeSameInstanceAs same }
            }
            clients.first().map { it.schema }.distinct() shouldHaveSize 100
        }

        test("a ledger that was dropped and made again has a new client, and others keep theirs") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)
            listOf("acme", "globex").forEach(ledgers::create)
            val (acme, globex) = listOf("acme", "globex").map(ledgers::client)

            ledgers.drop("acme")
            shouldRefuse(ErrorCode.SCHEMA_MISSING) { ledgers.drop("acme") }
            ledgers.create("acme")

            ledgers.client("acme") shouldNotBeSameInstanceAs acme
            ledgers.client("globex") shouldBeSameInstanceAs globex
        }

        test("a name that is none is refused each time") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)

            repeat(2) { shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.client("No Name") } }
        }
    })
