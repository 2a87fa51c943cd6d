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
        settings()
    },
)
