package io.runledger.coroutines.crash

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource

/** In a doomed JVM: connections to the database the test named. */
fun doomedPool(size: Int, settings: HikariConfig.() -> Unit = {}): HikariDataSource = HikariDataSource(
    HikariConfig().apply {
        jdbcUrl = System.getenv("URL")
        username = System.getenv("LOGIN")
        password = System.getenv("SECRET")
        maximumPoolSize = size
        // Not asked of the first connection: a pool whose first connection breaks at that question never gets another one.
        transactionIsolation = "TRANSACTION_READ_COMMITTED"
        settings()
    },
)

/**
 * Finds dead connections out soon, and has time for a host that does not answer before it asks the next: this is also the driver's
 * limit for all hosts together.
 */
internal fun HikariConfig.bePatient() {
    connectionTimeout = 5_000
    validationTimeout = 1_000
}
