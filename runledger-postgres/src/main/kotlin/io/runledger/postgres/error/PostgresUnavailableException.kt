package io.runledger.postgres.error

/** No server is available. The message gives the configuration that was tried, the error and the next step. */
public open class PostgresUnavailableException internal constructor(message: String, cause: Throwable? = null) :
    RuntimeException(message, cause)
