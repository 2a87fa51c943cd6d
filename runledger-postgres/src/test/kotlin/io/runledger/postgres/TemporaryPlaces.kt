package io.runledger.postgres

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** Temporary directories are private; a server that runs as another user must be able to enter. */
fun Path.openToAll(): Path = Files.setPosixFilePermissions(this, PosixFilePermissions.fromString("rwxr-xr-x"))
