package io.runledger.postgres.embedded

import java.io.IOException
import java.nio.file.FileVisitResult
import java.nio.file.FileVisitResult.CONTINUE
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.SimpleFileVisitor
import java.nio.file.attribute.BasicFileAttributes

/** Removes [root] and everything below it. Does not follow links. Ignores files that another process removes at the same time. */
internal fun removeTree(root: Path) {
    val removal = object : SimpleFileVisitor<Path>() {
        override fun visitFile(file: Path, attributes: BasicFileAttributes): FileVisitResult = remove(file)

        override fun visitFileFailed(file: Path, failure: IOException): FileVisitResult = remove(file)

        override fun postVisitDirectory(directory: Path, failure: IOException?): FileVisitResult = remove(directory)
    }
    Files.walkFileTree(root, removal)
}

private fun remove(path: Path): FileVisitResult {
    Files.deleteIfExists(path)
    return CONTINUE
}
