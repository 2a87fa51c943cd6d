package io.runledger.exposed.lifecycle

/**
 * A ledger of a database and its compatibility with this build.
 *
 * @property schema the schema of the ledger
 * @property version its newest migration, 0 if it has none yet, or null if it cannot be read
 * @property state its compatibility with this build
 */
public data class ListedLedger(
    @get:JvmName("schema") public val schema: String,
    @get:JvmName("version") public val version: Int?,
    @get:JvmName("state") public val state: State,
) {
    /** Whether this build can serve the ledger, if necessary after a migration. */
    public val isUsable: Boolean get() = state == State.CURRENT || state == State.OUTDATED

    /** The compatibility of a ledger with a build. */
    public enum class State {
        /** It has every migration of this build. */
        CURRENT,

        /** It lacks migrations: its creation is in progress or was interrupted, or it has not been upgraded. */
        OUTDATED,

        /** It has migrations that this build cannot work with. */
        TOO_NEW,

        /** Its migrations are not those of this build. */
        ALTERED,

        /** This role may not read it. */
        UNREADABLE,
    }
}
