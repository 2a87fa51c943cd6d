package io.runledger.exposed.sql

import io.runledger.model.error.RunledgerException
import java.sql.SQLException

/** SQLSTATE classes of errors of the connection, the server or the statement, which would affect any row. */
private val notAboutRows =
    setOf("08", "0A", "25", "26", "28", "2D", "3B", "3D", "3F", "40", "42", "53", "55", "57", "58", "72", "F0", "HV", "XX")

/** Whether the database refused a row, for example by a constraint or a trigger, so that other rows may still be written. */
internal fun RunledgerException.isAboutARow(): Boolean = generateSequence(cause) { it.cause }
    .filterIsInstance<SQLException>()
    .firstNotNullOfOrNull { it.sqlState }
    ?.let { it.take(2) !in notAboutRows } ?: false

/** Whether the refusal concerns one row: the database refused it, or another session holds it. */
internal fun RunledgerException.isAboutOneRow(): Boolean = isAboutARow() || isHeldElsewhere
