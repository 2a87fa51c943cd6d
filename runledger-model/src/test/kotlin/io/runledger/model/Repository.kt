package io.runledger.model

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.walk

/** Text of a file of this repository, by its path from the root. */
internal fun repositoryFile(path: String): String = Files.readString(root.resolve(path))

/** The Kotlin and Java files that make up the library, of all its modules. */
internal fun mainSources(): List<Path> = root.listDirectoryEntries("runledger-*").map { it.resolve("src/main") }
    .flatMap { it.walk().filter { file -> file.extension == "kt" || file.extension == "java" } }

private val root: Path = Path.of(System.getProperty("runledger.root"))

/** Text of the migration with this name. */
internal fun migration(name: String): String =
    repositoryFile("runledger-exposed/src/main/resources/io/runledger/exposed/migration/$name.sql")
