package io.runledger.console.action

import io.runledger.console.form.Action
import io.runledger.console.form.ActionScreen
import io.runledger.console.visit.Screen

/** All actions of the console. A later one is added to its list, and thereby has its page and its link. */
internal object Actions {
    val ofJob = listOf(
        RequeueJob.preserving(),
        RequeueJob.resetting(),
        RunJobNow(),
        RescheduleJob(),
        ReprioritizeJob(),
        EditJob(),
        ReplayJob(),
        CancelJob(),
    )
    val ofDeadLetterInOrder = listOf(ReleaseOrder())
    val ofSelection = listOf(RequeueDeadLetters.ofList(), RunJobsNow(), RescheduleJobs(), ReprioritizeJobs(), CancelJobs())
    val ofCause = RequeueDeadLetters.ofCause()
    val ofRun = listOf(PauseRun(), ResumeRun(), RetryFailedSteps(), RecoverRun(), CancelRun())
    val ofStep = listOf(EditStep())
    val ofGate = listOf(CompleteGate(), FailGate())
    val backfill = BackfillSchedule()
    val ofSchedule = listOf(
        FireSchedule(),
        PauseSchedule(),
        ResumeSchedule(),
        RetimeSchedule(),
        EditSchedule(),
        backfill,
        DeleteSchedule(),
    )
    val ofFleet = listOf(DrainWorkers(), StopWorkers())
    val ofOrder = listOf(LiftOrder())
    val ofOrders = listOf(LiftAllOrders())
    val ofType = listOf(PauseType(), ResumeType(), EnableType(), DisableType(), ChangeType(), ResetType())
    val ofLimit = listOf(ChangeLimit(), ResetLimit())
    val ofQueue = listOf(PauseQueue(), ResumeQueue(), LimitQueue())
    val ofAction = listOf(UndoAction())
    val enqueue = EnqueueJob()

    /** Those with fixed addresses come before those with an id in the same place. */
    val all: List<Action<*>> =
        ofSelection + ofCause + enqueue + ofJob + ofDeadLetterInOrder + ofRun + ofStep + ofGate + ofSchedule + ofFleet +
            ofOrder + ofOrders + ofType + ofLimit + ofQueue + ofAction
}

/** The pages of all actions. They are registered before the screens, whose addresses have ids where these have words. */
internal fun actions(): List<Screen> =
    listOf(ChangeJobsScreen(Actions.ofSelection), NewJobScreen(Actions.enqueue)) + Actions.all.map { ActionScreen(it) }
