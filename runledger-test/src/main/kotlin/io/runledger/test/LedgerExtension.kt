package io.runledger.test

import io.runledger.exposed.RunledgerClient
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.ParameterContext
import org.junit.jupiter.api.extension.ParameterResolver
import javax.sql.DataSource

/**
 * Gives JUnit 5 tests a fresh ledger: `@ExtendWith(LedgerExtension.class)` and a parameter of type [TestLedger],
 * [RunledgerClient] or [DataSource]. All parameters of one test share one ledger, which is dropped at the end of the test.
 */
public class LedgerExtension : ParameterResolver {
    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext): Boolean =
        parameter.parameter.type in listOf(TestLedger::class.java, RunledgerClient::class.java, DataSource::class.java)

    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Any {
        val ledger = ledgerOf(context)
        return when (parameter.parameter.type) {
            RunledgerClient::class.java -> ledger.client
            DataSource::class.java -> ledger.dataSource
            else -> ledger
        }
    }

    // At the end of the test, JUnit closes every AutoCloseable in its store.
    private fun ledgerOf(context: ExtensionContext): TestLedger = context
        .getStore(ExtensionContext.Namespace.create(LedgerExtension::class.java, context.uniqueId))
        .getOrComputeIfAbsent(TestLedger::class.java, { TestLedger.fresh() }, TestLedger::class.java)
}
