package io.runledger.console.http

import java.util.Map.entry

/**
 * The headers of every answer: nothing of a page comes from elsewhere, runs as inline script, or may be framed, kept or guessed.
 */
internal val PROTECTION: List<Map.Entry<String, String>> = listOf(
    entry(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    entry("X-Content-Type-Options", "nosniff"),
    entry("X-Frame-Options", "DENY"),
    entry("Referrer-Policy", "same-origin"),
    entry("Cross-Origin-Opener-Policy", "same-origin"),
    entry("Cache-Control", "no-store"),
)
