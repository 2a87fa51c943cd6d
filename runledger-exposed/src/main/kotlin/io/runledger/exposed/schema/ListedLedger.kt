package io.runledger.exposed.schema

/**
 * A ledger of a database and whether this build can work with it.
 *
 * @property schema where it lives
 * @property version its newest migration, 0 when it has none yet, or null when it cannot be read
 * @property state how it stands to this build
 */
public data class ListedLedger(
    @get:JvmName("schema") public val schema: String,
    @get:JvmName("version") public val version: Int?,
    @get:JvmName("state") public val state: State,
) {
    /** How a ledger stands to a build. */
    public enum class State {
        /** It has every migration of this build. */
        CURRENT,

        /** It lacks migrations: somebody is making it, died while doing so, or has not upgraded it. */
        OUTDATED,

        /** It has migrations that this build cannot work with. */
        TOO_NEW,

        /** Its migrations are not those of this build. */
        ALTERED,

        /** This role may not look at it. */
        UNREADABLE,
    }
}
