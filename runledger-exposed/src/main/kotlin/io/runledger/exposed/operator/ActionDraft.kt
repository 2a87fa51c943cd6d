package io.runledger.exposed.operator

import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import java.util.UUID

/** What a call is about to do, before it is known what it changes. */
internal class ActionDraft(
    val kind: OperatorActionKind,
    val target: OperatorTarget,
    val reason: String?,
    /** Null for actions on rows that belong to no organization. */
    val scope: Scope?,
    val total: Long? = null,
) {
    /** The target as an id, if it is a job or a run. */
    val targetId: UUID? get() = target.name()?.takeIf { target.kind() in withIds }?.let(UUID::fromString)

    private companion object {
        val withIds = setOf(OperatorTargetKind.JOB, OperatorTargetKind.RUN)
    }
}
