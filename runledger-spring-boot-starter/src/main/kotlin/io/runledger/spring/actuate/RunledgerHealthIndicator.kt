package io.runledger.spring.actuate

import io.runledger.exposed.RunledgerClient
import org.springframework.boot.health.contributor.AbstractHealthIndicator
import org.springframework.boot.health.contributor.Health

/**
 * Up if the ledger can be read. The concerns about it, such as a backlog, are details: they need an operator, and no restart of
 * the application.
 */
public class RunledgerHealthIndicator(private val client: RunledgerClient) :
    AbstractHealthIndicator("The ledger cannot be read.") {
    override fun doHealthCheck(builder: Health.Builder) {
        val health = client.health()
        builder.up().withDetail("schema", client.schema)
        health.longestWait()?.let { builder.withDetail("longestWait", it.toString()) }
        builder.withDetail("expiredLeases", health.expiredLeases())
        builder.withDetail("concerns", health.concerns())
    }
}
