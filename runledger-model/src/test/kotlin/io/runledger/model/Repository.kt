package io.runledger.model

import java.nio.file.Files
import java.nio.file.Path

/** Text of a file of this repository, by its path from the root. */
internal fun repositoryFile(path: String): String = Files.readString(Path.of(System.getProperty("runledger.root")).resolve(path))

/** Text of the migration with this name. */
internal fun migration(name: String): String =
    repositoryFile("runledger-exposed/src/main/resources/io/runledger/exposed/migration/$name.sql")
