package io.runledger.postgres.embedded

import java.nio.file.Files

internal object CurrentUser {
    /** The numeric user id, read from a file that this process creates. The JDK has no portable call for it. */
    val uid: Int by lazy {
        val probe = Files.createTempFile("runledger-", ".uid")
        try {
            Files.getAttribute(probe, "unix:uid") as Int
        } finally {
            Files.delete(probe)
        }
    }
}
