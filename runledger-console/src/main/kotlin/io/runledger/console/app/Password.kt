package io.runledger.console.app

import java.io.IOException
import java.nio.file.Files

/** The password of the database, from a file or the [environment]. */
internal class Password(private val environment: Map<String, String>) {
    /** Null if there is none here: the driver then looks into `~/.pgpass`. */
    fun of(options: Options): String? {
        val file = options.passwordFile ?: return environment["RUNLEDGER_PASSWORD"] ?: environment["PGPASSWORD"]
        return try {
            Files.readString(file).trimEnd('\n', '\r')
        } catch (failure: IOException) {
            throw RefusedStartException("The file $file of --password-file cannot be read: $failure")
        }
    }
}
