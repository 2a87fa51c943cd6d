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
        // Set explicitly: a pool whose first connection breaks while it reads this value never gets another one.
        transactionIsolation = "TRANSACTION_READ_COMMITTED"
        settings()
    },
)

/**
 * Detects dead connections soon, and leaves time for a host that does not respond before the next one: this is also the driver's
 * limit for all hosts together.
 */
internal fun HikariConfig.bePatient() {
    connectionTimeout = 5_000
    validationTimeout = 1_000
}
