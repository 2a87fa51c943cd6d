package io.runledger.console.access

/**
 * Thrown by a [ConsoleAccess] to refuse a request with a reason. The browser shows [message], so it contains nothing
 * confidential.
 *
 * @property isSignedIn whether the user is known, and may not use the console; if not, the user has to sign in first
 */
public class AccessRefusedException(message: String, @get:JvmName("isSignedIn") public val isSignedIn: Boolean) :
    RuntimeException(message)
