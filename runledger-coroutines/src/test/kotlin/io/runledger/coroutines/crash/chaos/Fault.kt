package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.crash.FakeClock

/** The faults, and how they are made. */
internal enum class Fault(
    val how: String,
    /** Whether a worker may lose its rows for longer than a lease. A lease may then expire between the claim and the handler. */
    val takesAway: Boolean = false,
) {
    WORKER_KILLED("kill -9 of a worker's JVM", takesAway = true),
    WORKER_FROZEN("SIGSTOP until others have taken its jobs over, then SIGCONT", takesAway = true),
    LINE_CUT("a worker's connections closed in the middle of whatever they did"),
    LINE_SLOW("everything said by or to a worker arrives 50 ms late for a while"),
    LINE_HALF_OPEN("a worker's connections silent for ever, to both sides", takesAway = true),
    POOL_EXHAUSTED("every connection of a worker's pool taken by other code of its process for a while", takesAway = true),
    CLOCK_WRONG("a worker's JVM started again with a clock 2 or 26 hours ahead or behind, by libfaketime", takesAway = true),
    ANSWER_LOST("the server does what it was asked, its answer is lost and the connection cut"),
    CLAIM_ANSWER_LOST("the same for the commit of a claim"),
    CALLER_ANSWER_LOST("the same for the service that enqueues, appends, pauses, resumes, cancels and completes gates"),
    BACKENDS_TERMINATED("pg_terminate_backend for every session"),
    SERVER_KILLED("kill -9 of PostgreSQL, restarted with crash recovery", takesAway = true),
    SERVER_READ_ONLY("default_transaction_read_only on for a while", takesAway = true),
    ERRORS_INJECTED("every fourth attempt row refused with 40001 or 40P01 for a while"),
    STATEMENT_TIMEOUT(
        "a statement_timeout of 250 ms for a while, and every twentieth attempt row takes longer",
        takesAway = true,
    ),
    STATEMENTS_CANCELED("pg_cancel_backend for whatever runs, again and again for a while", takesAway = true),
    DISK_FULL("every attempt row, new job and changed job refused with 53100 until 20 were", takesAway = true),
    ROWS_AND_KEYS_HELD(
        "a service's open transactions lock open jobs, a run and a schedule, and have enqueued under keys in use",
        takesAway = true,
    ),
    JANITOR_KILLED("kill -9 of a worker's JVM in the middle of a deletion by its retention", takesAway = true),
    ;

    val words: String get() = name.lowercase().replace('_', ' ')

    companion object {
        /** The faults that this machine can make. */
        val possible: List<Fault> = entries - if (FakeClock.isPresent) emptySet() else setOf(CLOCK_WRONG)
    }
}
