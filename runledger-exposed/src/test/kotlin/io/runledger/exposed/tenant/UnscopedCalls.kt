package io.runledger.exposed.tenant

private const val WORKER = "what a worker does, which serves every organization and is given no scope by anybody"
private const val LEASE = "the lease id is the proof: only who holds the lease of a job knows it"
private const val CATALOGUE = "job types and their settings belong to all organizations: for the service and its operators"
private const val HOOK = "hooks belong to the service, as workers do"
private const val SIGNALS = "tells the service that something happened, which looks with the scope of whom it serves"
private const val NO_DATABASE = "asks no database"
private const val OPERATOR = "looks at or changes the whole ledger: for the service and its operators"

/** Every call that does not say on whose behalf it is made, with the reason why it need not. */
val unscopedCalls: Map<String, String> = mapOf(
    "leases.claim" to WORKER,
    "leases.untilDue" to WORKER,
    "leases.retryPolicy" to "reads the job it is given and no row",
    "leases.renew" to LEASE,
    "leases.settle" to LEASE,
    "leases.release" to LEASE,
    "leases.report" to LEASE,
    "leases.reportAll" to LEASE,
    "leases.reap" to WORKER,
    "workflows.expireGates" to WORKER,
    "workflows.releaseActiveKeys" to WORKER,
    "workflows.prerequisites" to WORKER,
    "schedules.fire" to WORKER,
    "schedules.untilNextFire" to WORKER,
    "schedules.preview" to "reads the request it is given, and no row",
    "logs.append" to "what handlers say of the job they hold, or held",
    "logs.appendAll" to "what handlers say of the jobs they hold, or held",
    "definitions.declare" to CATALOGUE,
    "definitions.sync" to CATALOGUE,
    "definitions.syncExactly" to CATALOGUE,
    "definitions.enable" to CATALOGUE,
    "definitions.disable" to CATALOGUE,
    "definitions.pause" to CATALOGUE,
    "definitions.resume" to CATALOGUE,
    "definitions.change" to CATALOGUE,
    "definitions.find" to CATALOGUE,
    "definitions.get" to CATALOGUE,
    "definitions.list" to CATALOGUE,
    "definitions.retryPolicyOf" to "reads the definition it is given, and no row",
    "configs.put" to CATALOGUE,
    "configs.putIfMissing" to CATALOGUE,
    "configs.find" to CATALOGUE,
    "configs.get" to CATALOGUE,
    "configs.list" to CATALOGUE,
    "hooks.register" to HOOK,
    "hooks.take" to HOOK,
    "hooks.delivered" to HOOK,
    "hooks.postpone" to HOOK,
    "hooks.forget" to HOOK,
    "retention.prune" to OPERATOR,
    "retention.pruneRuns" to OPERATOR,
    "signals.subscribe" to SIGNALS,
    "signals.isEnabled" to NO_DATABASE,
    "signals.isHearing" to NO_DATABASE,
    "client.signals" to NO_DATABASE,
    "client.codec" to NO_DATABASE,
    "client.schema" to NO_DATABASE,
    "client.tables" to "columns for queries of the service's own, which say themselves what they look at",
    "client.create" to NO_DATABASE,
    "client.builder" to NO_DATABASE,
    "client.toString" to NO_DATABASE,
    "client.migrate" to OPERATOR,
    "client.requireCompatibleSchema" to OPERATOR,
    "client.verify" to OPERATOR,
    "client.health" to OPERATOR,
    "client.within" to "the same calls in the caller's transaction",
)
