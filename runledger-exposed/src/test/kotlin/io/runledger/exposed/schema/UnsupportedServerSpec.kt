package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.postgres.TestPostgres
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import javax.sql.DataSource

class UnsupportedServerSpec :
    FunSpec({
        fun refuseBoth(ledger: TestLedger, client: RunledgerClient) {
            val refusal = shouldRefuse(ErrorCode.POSTGRES_UNSUPPORTED) { client.migrate() }

            refusal.message shouldContain "PostgreSQL 14"
            refusal.message shouldContain "15 or newer"
            ledger.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'runledger'").shouldBeEmpty()
            shouldRefuse(ErrorCode.POSTGRES_UNSUPPORTED) { client.requireCompatibleSchema() }
        }

        test("a server that says it is too old is refused before anything is written") {
            val ledger = emptyLedger()

            refuseBoth(ledger, RunledgerClient.create(pretendingToBeOld(ledger.dataSource)))
        }

        // Runs with -Dpg=14, where nothing else here can.
        test("a server that is too old is refused before anything is written")
            .config(enabledIf = { TestPostgres.shared().server.majorVersion < 15 }) {
                val ledger = emptyLedger()

                refuseBoth(ledger, ledger.client)
            }
    })

/** No setting changes the version that a server reports, so the test changes the query instead. */
private fun pretendingToBeOld(real: DataSource): DataSource = around(real) { method, call ->
    val value = call()
    if (method == "getConnection") askedOtherwise(value as Connection) else value
}

private fun askedOtherwise(real: Connection): Connection =
    around(real, argument = { it.replace("current_setting('server_version_num')", "'140012'") }) { _, call -> call() }

private inline fun <reified T : Any> around(
    target: T,
    crossinline argument: (String) -> String = { it },
    crossinline invoke: (String, () -> Any?) -> Any?,
): T = Proxy.newProxyInstance(T::class.java.classLoader, arrayOf(T::class.java)) { _, method, given ->
    val changed = given.orEmpty().map { if (it is String) argument(it) else it }.toTypedArray()
    try {
        invoke(method.name) { method.invoke(target, *changed) }
    } catch (failure: InvocationTargetException) {
        throw failure.targetException
    }
} as T
