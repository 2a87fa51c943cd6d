package io.runledger.spring

import io.runledger.exposed.CurrentTransaction
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.sql.ConstraintErrors
import io.runledger.model.json.PayloadCodec
import io.runledger.spring.RunledgerProperties.Migrate
import org.slf4j.LoggerFactory
import org.springframework.beans.factory.ListableBeanFactory
import org.springframework.beans.factory.ObjectProvider
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.ImportRuntimeHints
import org.springframework.transaction.TransactionExecutionListener
import javax.sql.DataSource

/**
 * The client of a ledger on the application's data source. It migrates the ledger after the application's own migrations have
 * run, and before another bean receives the client. It backs off if the application declares a client.
 */
@AutoConfiguration(after = [DataSourceAutoConfiguration::class])
@EnableConfigurationProperties(RunledgerProperties::class)
@ImportRuntimeHints(LedgerHints::class)
public class RunledgerAutoConfiguration {
    // On the beans and not on the class, so that the properties are checked also if the ledger is turned off, or is turned off by
    // a
    // value that is neither true nor false.
    /** The client, with a migrated or checked schema. */
    @Bean
    @ConditionalOnBooleanProperty(name = ["runledger.enabled"], matchIfMissing = true)
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    public fun runledgerClient(
        beans: ListableBeanFactory,
        properties: RunledgerProperties,
        current: ObjectProvider<CurrentTransaction>,
        codec: ObjectProvider<PayloadCodec>,
        constraintErrors: ObjectProvider<ConstraintErrors>,
        customizers: ObjectProvider<RunledgerClientCustomizer>,
    ): RunledgerClient {
        val dataSource = beans.ledgerDataSource(properties.dataSource).withoutTransactions()
        val builder = RunledgerClient.builder(dataSource)
        properties.applyTo(builder)
        properties.listenDataSource?.let { builder.listenWith(beans.named("listen-data-source", it).withoutTransactions()) }
        if (properties.joinTransactions) {
            builder.joinCurrentTransaction(current.getIfUnique { SpringTransaction(dataSource) })
        }
        codec.ifUnique(builder::codec)
        constraintErrors.ifUnique(builder::constraintErrors)
        customizers.orderedStream().forEach { it.customize(builder) }
        return builder.build().also { prepare(it, properties.migrate) }
    }

    /** Tells the client when a transaction of Spring has ended. */
    @Bean
    @ConditionalOnBooleanProperty(name = ["runledger.enabled"], matchIfMissing = true)
    public fun runledgerTransactionListener(): TransactionExecutionListener = TransactionPhaseListener()

    private fun prepare(client: RunledgerClient, migrate: Migrate) {
        when (migrate) {
            Migrate.ON -> log.info("Migrated the ledger in schema '{}': {}", client.schema, client.migrate())
            Migrate.CHECK -> client.requireCompatibleSchema()
            Migrate.OFF -> Unit
        }
    }

    private companion object {
        val log = LoggerFactory.getLogger(RunledgerAutoConfiguration::class.java)
    }
}

/** The data source named [name], or else the only one or the primary one. */
private fun ListableBeanFactory.ledgerDataSource(name: String?): DataSource {
    if (name != null) return named("data-source", name)
    getBeanProvider(DataSource::class.java).ifUnique?.let { return it }
    val names = dataSources()
    throw if (names.isEmpty()) {
        SetupException(
            "The ledger needs a data source, and the application has none.",
            "Set spring.datasource.url, declare a DataSource bean, or set runledger.enabled=false.",
        )
    } else {
        SetupException(
            "The ledger needs one data source, and the application has ${names.size}: ${names.joinToString()}.",
            "Name one with runledger.data-source, or mark one as @Primary.",
        )
    }
}

private fun ListableBeanFactory.named(property: String, name: String): DataSource {
    val names = dataSources()
    if (name in names) return getBean(name, DataSource::class.java)
    throw SetupException(
        "The property runledger.$property is '$name', but no DataSource bean has this name.",
        "Give one of: ${names.joinToString()}.",
    )
}

private fun ListableBeanFactory.dataSources() = getBeanNamesForType(DataSource::class.java).toList()
