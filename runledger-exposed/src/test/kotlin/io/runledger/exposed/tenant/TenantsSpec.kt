package io.runledger.exposed.tenant

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.model.error.ErrorCode
import java.sql.Connection

/**
 * Two organizations with equal rows in one ledger, and a third without rows: none reads, counts, changes or waits for rows of
 * another, whatever it calls and whichever ids it guesses.
 */
class TenantsSpec :
    FunSpec({
        val acme = Tenant("acme")
        val bolt = Tenant("bolt")
        val newcomer = Tenant("newcomer")
        val nobody = Tenant("nobody")
        val busy by lazy { Bystander(freshLedger().define(*Tenant.types).apply { listOf(acme, bolt).forEach(::settle) }) }
        val empty by lazy { Bystander(freshLedger().define(*Tenant.types)) }
        afterSpec { listOf(busy, empty).forEach { it.close() } }

        fun Bystander.ask(
            call: ScopedCall,
            who: Tenant,
            wanted: Tenant,
            isolation: Int = Connection.TRANSACTION_READ_COMMITTED,
        ): Answer = trying(isolation) { _, ledger -> Answer.of { call.call(Caller(ledger, who, wanted)) } }

        /** Whether the call changed rows of [of]. */
        fun changed(call: ScopedCall, who: Tenant, wanted: Tenant, vararg of: Tenant): List<String> =
            busy.trying(Connection.TRANSACTION_READ_COMMITTED) { connection, ledger ->
                val rows = Rows(connection, of.toList())
                val before = rows.read(connection)
                Answer.of { call.call(Caller(ledger, who, wanted)) }
                rows.read(connection) - before.toSet() + (before - rows.read(connection).toSet())
            }

        /** As [ask], while a transaction has locked all rows of [wanted]. A call that waits for them fails. */
        fun askPast(call: ScopedCall, who: Tenant, wanted: Tenant, isolation: Int): Answer =
            busy.trying(Connection.TRANSACTION_READ_COMMITTED) { held, _ ->
                Rows(held, listOf(wanted)).lock(held)
                busy.trying(isolation) { connection, ledger ->
                    connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '1s'") }
                    Answer.of { call.call(Caller(ledger, who, wanted)) }
                }
            }

        test("every function that names a tenant is tried here, and every other one says why it names none") {
            val functions = FacadeFunction.all()
            val tried = (scopedCalls + namingCalls).map { it.name }.toSet()

            functions.filter { it.isScoped }.map { it.name }.filterNot { it in tried } shouldContainExactlyInAnyOrder
                listOf("worker.triggers.settle", "schedules.preview")
            tried.intersect(unscopedCalls.keys).shouldBeEmpty()
            (tried + unscopedCalls.keys).toList() shouldContainExactlyInAnyOrder functions.map { it.name }.distinct()
        }

        scopedCalls.forEachIndexed { index, call ->
            test("${call.name} keeps organizations apart (${index + 1})") {
                listOf(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ).forEach { isolation ->
                    withClue("what is another's answers as what is not there, without a wait") {
                        val foreign = askPast(call, acme, bolt, isolation)
                        foreign.comparable(bolt, nobody) shouldBe busy.ask(call, acme, nobody, isolation).comparable(bolt, nobody)
                    }
                }
                withClue("who has nothing sees what there is in an empty ledger") {
                    busy.ask(call, newcomer, bolt).comparable(bolt, nobody) shouldBe
                        empty.ask(call, newcomer, nobody).comparable(bolt, nobody)
                }
                withClue("who has the same sees the same") {
                    busy.ask(call, acme, acme).comparable(acme, bolt) shouldBe busy.ask(call, bolt, bolt).comparable(acme, bolt)
                }
                withClue("nothing of anybody else changes") {
                    changed(call, acme, bolt, bolt).shouldBeEmpty()
                    changed(call, newcomer, bolt, acme, bolt).shouldBeEmpty()
                }
                withClue("the owner gets something else, or the call would show nothing") {
                    val own = busy.ask(call, bolt, bolt).comparable(bolt, nobody)
                    val others = busy.ask(call, newcomer, bolt).comparable(bolt, nobody)
                    (own != others || changed(call, bolt, bolt, bolt).isNotEmpty()) shouldBe true
                }
            }
        }

        namingCalls.forEach { call ->
            test("${call.name} says that a name is taken, and no more of whoever took it") {
                val refusal = askPast(call, acme, bolt, Connection.TRANSACTION_READ_COMMITTED)

                refusal.text shouldContain "refused: ${ErrorCode.DB_UNIQUE}"
                refusal.text shouldNotContain bolt.organization.toString()
                changed(call, acme, bolt, bolt).shouldBeEmpty()
            }
        }

        test("the same keys are different things in different organizations") {
            fun owners(name: String) = listOf(acme, bolt).map { who ->
                scopedCalls.filter { it.name == name }.map { call -> busy.ask(call, who, who).text }.all {
                    who.organization.toString() in
                        it
                }
            }

            owners("jobs.findByKey") shouldContainExactly listOf(true, true)
            owners("workflows.findByKey") shouldContainExactly listOf(true, true)
        }
    })
