package io.runledger.console.screen

import io.runledger.console.visit.Screen

/** All screens of the console. */
internal fun screens(): List<Screen> = listOf(
    OverviewScreen(),
    JobListScreen(),
)
