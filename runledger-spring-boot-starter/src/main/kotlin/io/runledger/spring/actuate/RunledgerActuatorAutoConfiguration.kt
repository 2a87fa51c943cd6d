package io.runledger.spring.actuate

import io.runledger.exposed.RunledgerClient
import io.runledger.spring.RunledgerAutoConfiguration
import org.springframework.beans.factory.ListableBeanFactory
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint
import org.springframework.boot.actuate.endpoint.annotation.Endpoint
import org.springframework.boot.autoconfigure.AutoConfiguration
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator
import org.springframework.boot.health.contributor.CompositeHealthContributor
import org.springframework.boot.health.contributor.HealthContributor
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Health and an endpoint for the ledgers of the application, if Spring Boot's health and actuator are on the class path. */
@AutoConfiguration(after = [RunledgerAutoConfiguration::class])
@ConditionalOnBean(RunledgerClient::class)
public class RunledgerActuatorAutoConfiguration {
    /** The health of each ledger. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthContributor::class, ConditionalOnEnabledHealthIndicator::class)
    public class HealthConfiguration {
        /** One indicator for one client; for several, one each, by the names of their beans. */
        @Bean
        @ConditionalOnMissingBean(name = ["runledgerHealthIndicator", "runledgerHealthContributor"])
        @ConditionalOnEnabledHealthIndicator("runledger")
        public fun runledgerHealthContributor(beans: ListableBeanFactory): HealthContributor {
            val clients = beans.getBeansOfType(RunledgerClient::class.java)
            return clients.values.singleOrNull()?.let(::RunledgerHealthIndicator)
                ?: CompositeHealthContributor.fromMap(clients, ::RunledgerHealthIndicator)
        }
    }

    /** The endpoint `runledger`. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint::class, ConditionalOnAvailableEndpoint::class)
    public class EndpointConfiguration {
        /** The endpoint for all clients. */
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        public fun runledgerEndpoint(beans: ListableBeanFactory): RunledgerEndpoint =
            RunledgerEndpoint(beans.getBeansOfType(RunledgerClient::class.java))
    }
}
