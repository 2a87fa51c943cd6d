package io.runledger.console.action

import io.runledger.console.access.ConsoleRole
import io.runledger.console.visit.Visit
import io.runledger.model.operator.OperatorAction
import kotlinx.html.FlowContent
import kotlinx.html.p

/** What the user can do about an earlier action. */
internal fun FlowContent.auditActions(visit: Visit, action: OperatorAction) {
    if (action.isFinished && !action.isUndone && !visit.may(ConsoleRole.OPERATOR)) p("note") { +"Operators can undo some actions." }
}
