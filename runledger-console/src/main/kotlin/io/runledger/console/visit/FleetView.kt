package io.runledger.console.visit

import io.runledger.console.access.ConsoleRole
import io.runledger.model.ledger.Scope

/**
 * Whether the user sees what all organizations share: health, workers and database. These belong to the whole fleet, and their
 * numbers would tell one organization about the load of the others. They are therefore shown to users whose scope is everything,
 * and to administrators, who may also change them.
 */
internal val Visit.seesFleet: Boolean get() = scope.kind() == Scope.Kind.EVERYTHING || may(ConsoleRole.ADMINISTRATOR)
