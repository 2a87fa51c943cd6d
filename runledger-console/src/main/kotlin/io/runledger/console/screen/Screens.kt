package io.runledger.console.screen

import io.runledger.console.screen.deadletter.DeadLetterScreen
import io.runledger.console.screen.job.JobDocumentScreen
import io.runledger.console.screen.job.JobLogScreen
import io.runledger.console.screen.job.JobScreen
import io.runledger.console.screen.jobs.FindScreen
import io.runledger.console.screen.jobs.JobListScreen
import io.runledger.console.screen.overview.OverviewScreen
import io.runledger.console.visit.Screen

/** All screens of the console. */
internal fun screens(): List<Screen> = listOf(
    OverviewScreen(),
    FindScreen(),
    JobListScreen(),
    JobScreen(),
    JobLogScreen(),
    JobDocumentScreen(),
    DeadLetterScreen(),
)
