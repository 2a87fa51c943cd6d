package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.flow.WeighShares
import io.runledger.model.flow.ShareWeight
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Page

/**
 * The weights of shares. The shares of a job type take turns in its claims; a share with a larger weight has more turns in each
 * round. A weight belongs to the ledger, so only the service and its operators should change it.
 */
public class Shares internal constructor(context: LedgerContext) {
    private val weights = WeighShares(context)

    /**
     * Gives a share of a job type [weight] turns in each round, 1 to 100. [share] is the key, the id of the organization, or
     * `global`. A share that was never weighed has 1. Claims use the new weight at once. Refused with
     * `job.definition_not_found`, with `flow.key_invalid`, and with `request.invalid` for other weights.
     */
    @JvmOverloads
    public fun weigh(jobType: String, share: String, weight: Int, reason: String? = null): ShareWeight =
        weights.weigh(jobType, share, weight, reason)

    /**
     * A page of the shares of a job type with a weight above 1, in order of key. To read the next page, pass [Page.next] as
     * [after]. Refused with `job.invalid_pagination` unless [limit] is 1 to 1,000 and [after] is a cursor of this method.
     */
    @JvmOverloads
    public fun list(jobType: String, limit: Int = JobQuery.DEFAULT_LIMIT, after: String? = null): Page<ShareWeight> =
        weights.list(jobType, limit, after)
}
