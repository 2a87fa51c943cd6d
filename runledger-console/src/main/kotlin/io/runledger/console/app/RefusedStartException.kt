package io.runledger.console.app

/** The console does not start. The message says why and what to do. */
internal class RefusedStartException(message: String, val status: Int = FAILED, cause: Throwable? = null) :
    RuntimeException(message, cause) {
    companion object {
        const val FAILED = 1

        /** The options are wrong. */
        const val USAGE = 2
    }
}
