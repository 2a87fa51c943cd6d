package io.runledger.coroutines.crash

import kotlin.random.Random

/** What happens to an attempt, and where: each kind of death at each point of a handler's transaction. */
enum class AttemptFault {
    LIVES,
    THROWS_BEFORE_INSERT,
    THROWS_AFTER_INSERT,
    THROWS_AFTER_SETTLING,
    THROWS_AFTER_COMMIT,
    ROLLS_BACK_AND_RETURNS,
    CONNECTION_DIES_AFTER_INSERT,
    CONNECTION_DIES_AFTER_SETTLING,
    CONNECTION_DIES_DURING_COMMIT,
    LEASE_RUNS_OUT_BEFORE_INSERT,
    LEASE_RUNS_OUT_BEFORE_SETTLING,
    THREAD_INTERRUPTED_BEFORE_INSERT,
    THREAD_INTERRUPTED_AFTER_INSERT,
    THREAD_INTERRUPTED_AFTER_SETTLING,
    ;

    companion object {
        /** The same for the same [seed], [job] and [attempt]. Two attempts of three die. */
        fun of(seed: Long, job: Int, attempt: Int): AttemptFault {
            val random = Random((seed * 31 + job) * 31 + attempt)
            return if (random.nextInt(3) == 0) LIVES else entries.drop(1).random(random)
        }
    }
}
