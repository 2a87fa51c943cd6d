package io.runledger.postgres.embedded

/** The address an embedded server listens on. */
internal const val LOOPBACK = "127.0.0.1"

/** The role that owns an embedded server. */
internal const val SUPERUSER = "postgres"
