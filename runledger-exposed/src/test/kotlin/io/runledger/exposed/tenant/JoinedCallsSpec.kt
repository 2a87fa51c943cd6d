package io.runledger.exposed.tenant

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.fuzz.Contents
import io.runledger.model.error.RunledgerException
import java.sql.Connection

/** Calls for a tenant join the caller's transaction: the caller sees their writes, and a rollback removes them. */
class JoinedCallsSpec :
    FunSpec({
        test("nothing that a joined call wrote stays when the caller rolls back") {
            val acme = Tenant("acme")
            val ledger = freshLedger().define(*Tenant.types).apply { settle(acme) }
            val contents = ledger.dataSource.connection.use(::Contents)
            val before = ledger.dataSource.connection.use(contents::read)

            /** Whether [call] writes with the ids and keys of [wanted], which are in use or not. */
            fun Bystander.isWriting(call: ScopedCall, wanted: Tenant) =
                trying(Connection.TRANSACTION_READ_COMMITTED) { connection, joined ->
                    try {
                        call.call(Caller(joined, acme, wanted))
                    } catch (_: RunledgerException) {
                        // A refused call writes nothing; other specs test that.
                    }
                    contents.read(connection) != before
                }

            val writing = Bystander(ledger).use { bystander ->
                (scopedCalls + namingCalls).filter { call ->
                    val isWriting = listOf(acme, Tenant("newcomer")).map { bystander.isWriting(call, it) }
                    withClue(call.name) { ledger.dataSource.connection.use(contents::read) shouldBe before }
                    true in isWriting
                }
            }

            writing.map { it.name } shouldContainAll
                listOf(
                    "jobs.enqueue",
                    "jobs.cancel",
                    "workflows.enqueue",
                    "workflows.cancel",
                    "schedules.upsert",
                    "schedules.pause",
                )
        }
    })
