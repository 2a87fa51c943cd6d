package io.runledger.exposed

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path

/** A file of the repository that is made from the schema. */
object RecordedFile {
    private val root = Path.of(System.getProperty("runledger.root"))

    /** Compares the file at [path] with [content], or rewrites it when the tests run with `-Drunledger.write-catalog=true`. */
    fun shouldHold(path: String, content: String) {
        val file = root.resolve(path)
        if (System.getProperty("runledger.write-catalog").toBoolean()) {
            Files.createDirectories(file.parent)
            Files.writeString(file, content)
        }
        withClue("$path is not what the migrations make; rewrite it with -Drunledger.write-catalog=true") {
            (if (Files.exists(file)) Files.readString(file) else "") shouldBe content
        }
    }
}
