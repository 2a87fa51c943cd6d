package io.runledger.console.screen

import io.runledger.console.action.actions
import io.runledger.console.screen.audit.AuditListScreen
import io.runledger.console.screen.audit.AuditScreen
import io.runledger.console.screen.deadletter.DeadLetterScreen
import io.runledger.console.screen.fleet.DatabaseScreen
import io.runledger.console.screen.fleet.TypeListScreen
import io.runledger.console.screen.fleet.TypeScreen
import io.runledger.console.screen.fleet.WorkerListScreen
import io.runledger.console.screen.fleet.WorkerScreen
import io.runledger.console.screen.flow.LimitListScreen
import io.runledger.console.screen.flow.LimitScreen
import io.runledger.console.screen.flow.QueueListScreen
import io.runledger.console.screen.flow.QueueScreen
import io.runledger.console.screen.job.JobDocumentScreen
import io.runledger.console.screen.job.JobLogScreen
import io.runledger.console.screen.job.JobScreen
import io.runledger.console.screen.jobs.FindScreen
import io.runledger.console.screen.jobs.JobListScreen
import io.runledger.console.screen.overview.OverviewScreen
import io.runledger.console.screen.run.GateListScreen
import io.runledger.console.screen.run.RunListScreen
import io.runledger.console.screen.run.RunPictures
import io.runledger.console.screen.run.RunScreen
import io.runledger.console.screen.run.StepScreen
import io.runledger.console.screen.schedule.ScheduleListScreen
import io.runledger.console.screen.schedule.SchedulePreviewScreen
import io.runledger.console.screen.schedule.ScheduleScreen
import io.runledger.console.visit.Screen

/** All screens of the console. */
internal fun screens(): List<Screen> = actions() + listOf(
    OverviewScreen(),
    FindScreen(),
    JobListScreen(),
    JobScreen(),
    JobLogScreen(),
    JobDocumentScreen(),
    DeadLetterScreen(),
    RunListScreen(),
    RunScreen(RunPictures()),
    StepScreen(),
    GateListScreen(),
    ScheduleListScreen(),
    SchedulePreviewScreen(),
    ScheduleScreen(),
    WorkerListScreen(),
    WorkerScreen(),
    TypeListScreen(),
    TypeScreen(),
    LimitListScreen(),
    LimitScreen(),
    QueueListScreen(),
    QueueScreen(),
    DatabaseScreen(),
    AuditListScreen(),
    AuditScreen(),
)
