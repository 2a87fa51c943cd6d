package io.runledger.exposed

import io.runledger.exposed.claim.ClaimJobs
import io.runledger.exposed.claim.RenewLeases
import io.runledger.exposed.settle.SettleJobs
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.spec.SettleRequest
import io.runledger.model.state.ClaimedJob
import io.runledger.model.state.Lease
import io.runledger.model.state.Renewal
import io.runledger.model.state.SettledJob
import java.time.Duration

/** What workers do with jobs: claim them, keep them, end them. Each call is one statement, whatever the number of jobs. */
public class Leases internal constructor(context: LedgerContext) {
    private val claims = ClaimJobs(context)
    private val renewals = RenewLeases(context)
    private val settlements = SettleJobs(context)

    /**
     * Leases due jobs, highest priority first, then the longest due. Competing callers never get the same job and never wait
     * for each other. Paused types are left alone. The list is in no particular order.
     */
    public fun claim(request: ClaimRequest): List<ClaimedJob> = claims.claim(request)

    /**
     * Renews [leases] for another [duration], by the database's clock. Answers for each, in their order; what is lost stays
     * lost.
     */
    public fun renew(leases: List<Lease>, duration: Duration): List<Renewal> = renewals.renew(leases, duration)

    /**
     * Ends attempts, with any mix of verdicts. Each is fenced by its lease id and by an unexpired lease; one that lost its
     * lease comes back as lost, changes nothing and does not disturb the others. Answers in the order of [settlements].
     */
    public fun settle(settlements: List<SettleRequest>): List<SettledJob> = this.settlements.settle(settlements)
}
