package io.runledger.console.screen.run

import io.runledger.console.visit.Visit
import java.util.UUID

/** Addresses of the pages of runs. */
internal fun runPath(run: UUID): String = "/runs/$run"

internal fun stepPath(run: UUID, key: String): String = "${runPath(run)}/steps/${Visit.encoded(key)}"
