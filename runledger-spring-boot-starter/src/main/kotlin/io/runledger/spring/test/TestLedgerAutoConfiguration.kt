package io.runledger.spring.test

import io.runledger.exposed.RunledgerClient
import io.runledger.spring.HandlerBeans
import io.runledger.spring.RunledgerAutoConfiguration
import io.runledger.test.TestLedger
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Primary
import org.springframework.core.env.Environment
import javax.sql.DataSource

/** The beans of [AutoConfigureTestLedger]. */
@AutoConfiguration(before = [DataSourceAutoConfiguration::class, RunledgerAutoConfiguration::class])
@ConditionalOnClass(TestLedger::class)
public class TestLedgerAutoConfiguration {
    /** A fresh ledger for the context of the test. */
    @Bean
    public fun testLedger(environment: Environment): TestLedger =
        TestLedger.fresh(environment.getRequiredProperty("runledger.schema"))

    /** Connections to the database of the ledger. */
    @Bean(destroyMethod = "")
    @Primary
    public fun testLedgerDataSource(ledger: TestLedger): DataSource = ledger.dataSource

    /** The worker. */
    @Bean
    public fun handWorker(ledger: TestLedger, client: RunledgerClient, beans: ConfigurableListableBeanFactory): HandWorker {
        val handlers = HandlerBeans(beans, "handWorker").collect()
        if (handlers.jobTypes.isNotEmpty()) client.definitions.sync(handlers.jobTypes)
        return HandWorker(ledger, handlers)
    }
}
