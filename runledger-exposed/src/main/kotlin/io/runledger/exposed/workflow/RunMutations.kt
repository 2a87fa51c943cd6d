package io.runledger.exposed.workflow

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.wire
import io.runledger.model.history.MutationKind
import io.runledger.model.json.Json
import java.sql.Connection
import java.util.UUID

/** The changes made to runs after they started. Each has a key, so that a repeated request has no further effect. */
internal class RunMutations(private val context: LedgerContext) {
    fun find(connection: Connection, run: UUID, key: String, request: Json): EarlierMutation? = connection.row(
        context.statements["workflow/mutation_find"],
        {
            json("request", request)
            uuid("run_id", run)
            text("mutation_key", key)
        },
    ) { EarlierMutation(wire("mutation_kind"), getBoolean("same"), json("metadata")) }

    fun insert(connection: Connection, run: UUID, kind: MutationKind, key: String, metadata: Json, request: Json) {
        connection.update(context.statements["workflow/mutation_insert"]) {
            uuid("run_id", run)
            text("kind", kind.wire())
            text("mutation_key", key)
            json("metadata", metadata)
            json("request", request)
        }
    }
}

internal class EarlierMutation(val kind: MutationKind, val isSame: Boolean, val metadata: Json)
