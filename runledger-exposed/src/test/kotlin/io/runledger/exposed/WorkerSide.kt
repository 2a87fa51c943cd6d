package io.runledger.exposed

import io.runledger.exposed.worker.DirectStarts
import io.runledger.exposed.worker.DueSchedules
import io.runledger.exposed.worker.FleetMembership
import io.runledger.exposed.worker.HookDeliveries
import io.runledger.exposed.worker.Leases
import io.runledger.exposed.worker.RunUpkeep
import io.runledger.exposed.worker.StepInputs
import io.runledger.exposed.worker.Triggers
import io.runledger.exposed.worker.WorkerLedger

val Ledger.leases: Leases get() = WorkerLedger.of(this).leases
val Ledger.triggers: Triggers get() = WorkerLedger.of(this).triggers
val Ledger.upkeep: RunUpkeep get() = WorkerLedger.of(this).upkeep
val Ledger.stepInputs: StepInputs get() = WorkerLedger.of(this).stepInputs
val Ledger.dueSchedules: DueSchedules get() = WorkerLedger.of(this).schedules
val Ledger.membership: FleetMembership get() = WorkerLedger.of(this).fleet
val Ledger.deliveries: HookDeliveries get() = WorkerLedger.of(this).hooks
val Ledger.directStarts: DirectStarts get() = WorkerLedger.of(this).starts
