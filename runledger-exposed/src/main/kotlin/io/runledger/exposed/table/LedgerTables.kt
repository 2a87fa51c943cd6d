package io.runledger.exposed.table

import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.table.column.LedgerTable
import io.runledger.exposed.table.flow.LimitChangesTable
import io.runledger.exposed.table.flow.LimitKeysTable
import io.runledger.exposed.table.flow.LimitsTable
import io.runledger.exposed.table.flow.ShareWeightsTable

/**
 * Every table and view of the ledger in [schema]. Holds no connection and no state: create one per ledger, or use the
 * client's.
 *
 * Read the tables in any Exposed transaction on the ledger's database. Writing to them without the client is at your own risk.
 */
public class LedgerTables(public val schema: SchemaName) {
    public val jobDefinitions: JobDefinitionsTable = JobDefinitionsTable(schema)
    public val jobQueue: JobQueueTable = JobQueueTable(schema)
    public val jobAttempts: JobAttemptsTable = JobAttemptsTable(schema)
    public val jobJournal: JobJournalTable = JobJournalTable(schema)
    public val jobDeadLetters: JobDeadLettersTable = JobDeadLettersTable(schema)
    public val jobDeadLetterHooks: JobDeadLetterHooksTable = JobDeadLetterHooksTable(schema)
    public val jobDeadLetterDeliveries: JobDeadLetterDeliveriesTable = JobDeadLetterDeliveriesTable(schema)
    public val jobKeys: JobKeysTable = JobKeysTable(schema)
    public val jobLogs: JobLogsTable = JobLogsTable(schema)
    public val jobReplays: JobReplaysTable = JobReplaysTable(schema)
    public val jobRuntimeConfigs: JobRuntimeConfigsTable = JobRuntimeConfigsTable(schema)
    public val jobSchedules: JobSchedulesTable = JobSchedulesTable(schema)
    public val jobScheduleFires: JobScheduleFiresTable = JobScheduleFiresTable(schema)
    public val workers: WorkersTable = WorkersTable(schema)
    public val workerOrders: WorkerOrdersTable = WorkerOrdersTable(schema)
    public val operatorActions: OperatorActionsTable = OperatorActionsTable(schema)
    public val limits: LimitsTable = LimitsTable(schema)
    public val limitChanges: LimitChangesTable = LimitChangesTable(schema)
    public val limitKeys: LimitKeysTable = LimitKeysTable(schema)
    public val shareWeights: ShareWeightsTable = ShareWeightsTable(schema)
    public val workflowRuns: WorkflowRunsTable = WorkflowRunsTable(schema)
    public val workflowStepRows: WorkflowStepRowsTable = WorkflowStepRowsTable(schema)
    public val workflowStepDependencies: WorkflowStepDependenciesTable = WorkflowStepDependenciesTable(schema)
    public val workflowStepJournal: WorkflowStepJournalTable = WorkflowStepJournalTable(schema)
    public val workflowRunJournal: WorkflowRunJournalTable = WorkflowRunJournalTable(schema)
    public val workflowRunMutations: WorkflowRunMutationsTable = WorkflowRunMutationsTable(schema)
    public val workflowActiveClaims: WorkflowActiveClaimsTable = WorkflowActiveClaimsTable(schema)
    public val workflowRecoveries: WorkflowRecoveriesTable = WorkflowRecoveriesTable(schema)
    public val runledgerMigrationHistory: RunledgerMigrationHistoryTable = RunledgerMigrationHistoryTable(schema)
    public val jobEvents: JobEventsView = JobEventsView(schema)
    public val workflowSteps: WorkflowStepsView = WorkflowStepsView(schema)
    public val workflowStepEvents: WorkflowStepEventsView = WorkflowStepEventsView(schema)
    public val jobMetricsRollup: JobMetricsRollupView = JobMetricsRollupView(schema)

    /** All of the above. */
    public val all: List<LedgerTable> =
        listOf(
            jobDefinitions,
            jobQueue,
            jobAttempts,
            jobJournal,
            jobDeadLetters,
            jobDeadLetterHooks,
            jobDeadLetterDeliveries,
            jobKeys,
            jobLogs,
            jobReplays,
            jobRuntimeConfigs,
            jobSchedules,
            jobScheduleFires,
            workers,
            workerOrders,
            operatorActions,
            limits,
            limitChanges,
            limitKeys,
            shareWeights,
            workflowRuns,
            workflowStepRows,
            workflowStepDependencies,
            workflowStepJournal,
            workflowRunJournal,
            workflowRunMutations,
            workflowActiveClaims,
            workflowRecoveries,
            runledgerMigrationHistory,
            jobEvents,
            workflowSteps,
            workflowStepEvents,
            jobMetricsRollup,
        )

    override fun toString(): String = "ledger $schema"
}
