package io.runledger.console.action

import io.runledger.console.form.actionLinks
import io.runledger.console.visit.Visit
import io.runledger.model.schedule.Schedule
import kotlinx.html.FlowContent

/** Links to the actions that the user may take on [schedule] in its state. */
internal fun FlowContent.scheduleActions(visit: Visit, schedule: Schedule) = actionLinks(visit, schedule, Actions.ofSchedule)
