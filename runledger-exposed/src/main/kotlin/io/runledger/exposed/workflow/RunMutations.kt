package io.runledger.exposed.workflow

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.wire
import io.runledger.model.json.Json
import io.runledger.model.state.MutationKind
import java.sql.Connection
import java.util.UUID

/** What was done to runs after they started, each under a key that makes it repeatable. */
internal class RunMutations(private val context: LedgerContext) {
    fun find(connection: Connection, run: UUID, key: String, request: Json): EarlierMutation? = connection.row(
        context.statements["mutation_find"],
        {
            json(request)
            uuid(run)
            text(key)
        },
    ) { EarlierMutation(wire("mutation_kind"), getBoolean("same"), json("metadata")) }

    fun insert(connection: Connection, run: UUID, kind: MutationKind, key: String, metadata: Json, request: Json) {
        connection.update(context.statements["mutation_insert"]) {
            uuid(run)
            text(kind.wire())
            text(key)
            json(metadata)
            json(request)
        }
    }
}

internal class EarlierMutation(val kind: MutationKind, val isSame: Boolean, val metadata: Json)
