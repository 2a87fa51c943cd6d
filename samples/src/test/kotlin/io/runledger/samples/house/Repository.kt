package io.runledger.samples.house

import java.io.File
import java.nio.file.Path
import kotlin.io.path.readText

/** The text of a file of this repository, by its path from the root. */
internal fun onDisk(file: String): String = root.resolve(file).readText()

private val root: Path = Path.of(
    checkNotNull(System.getProperty("runledger.root")) {
        "set -Drunledger.root to the repository's root"
    },
)

/** The root of this repository. */
internal val repository: File get() = root.toFile()

/** A repository that differs from the one on disk in one place; [message] must be part of the reported difference. */
internal class Alteration(val name: String, val file: String, val from: String, val to: String, val message: String) {
    /** Reads like [onDisk], with the change made. */
    fun read(asked: String): String {
        val text = onDisk(asked)
        if (asked != file) return text
        check(from in text) { "$file no longer contains '$from'; alter something else to show '$name'" }
        return text.replaceFirst(from, to)
    }
}
