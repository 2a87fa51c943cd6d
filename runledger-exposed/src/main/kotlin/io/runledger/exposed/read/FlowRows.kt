package io.runledger.exposed.read

import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.ResolvedFlow
import java.sql.ResultSet

/** The flow in the columns of a job. The key of its queue is among its limit keys; the queue has a column of its own. */
internal fun ResultSet.resolvedFlow(): ResolvedFlow {
    val keys = (getArray("limit_keys")?.array as? Array<*>).orEmpty().map { it as String }.filterNot { it.startsWith("queue:") }
    val order = getString("order_key")
    val limits = keys.map { key ->
        ResolvedFlow.LimitKey(key.substringBefore(':'), key.substringAfter(':', "").takeIf { ':' in key })
    }
    val afterDeadLetter = order?.let { if (getBoolean("holds_order")) AfterDeadLetter.HOLD else AfterDeadLetter.GO_ON }
    return ResolvedFlow(getString("queue"), limits, order, afterDeadLetter, getString("share_key"))
}
