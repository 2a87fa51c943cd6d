package io.runledger.console.access

import io.runledger.console.http.ConsoleRequest

/** Says who sends a request. The host of the console implements it with its own sign-in. */
public fun interface ConsoleAccess {
    /** The user who sends [request]; null refuses the request. */
    public fun userOf(request: ConsoleRequest): ConsoleUser?

    public companion object {
        /**
         * The same user for each request. Only for a server that no other person can reach, such as one on the loopback
         * interface.
         */
        @JvmStatic
        public fun always(user: ConsoleUser): ConsoleAccess = ConsoleAccess { user }
    }
}
