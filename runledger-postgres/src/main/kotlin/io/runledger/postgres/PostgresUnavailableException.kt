package io.runledger.postgres

/** No server could be had. The message says what was tried, what went wrong and what to do next. */
public open class PostgresUnavailableException internal constructor(message: String, cause: Throwable? = null) :
    RuntimeException(message, cause)
