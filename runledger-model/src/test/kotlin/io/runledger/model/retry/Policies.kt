package io.runledger.model.retry

import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.arbitrary.choice
import io.kotest.property.arbitrary.element
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.long
import io.kotest.property.arbitrary.map
import io.kotest.property.arbitrary.numericDouble
import io.runledger.model.failure.FailureKind
import java.math.BigInteger
import java.time.Duration
import java.util.UUID

internal val jobIds: Arb<UUID> = arbitrary { UUID(Arb.long().bind(), Arb.long().bind()) }

/** Small and huge numbers are equally frequent, because they fail in different ways. */
internal val attempts: Arb<Int> = Arb.choice(Arb.int(1..60), Arb.int(1..Int.MAX_VALUE), Arb.element(1, Int.MAX_VALUE))

internal val durations: Arb<Duration> = Arb.choice(
    Arb.long(1L..5_000L),
    Arb.long(1L..Int.MAX_VALUE.toLong()),
    Arb.element(1L, Int.MAX_VALUE.toLong()),
).map(Duration::ofMillis)

internal val jitters: Arb<Jitter> = Arb.choice(
    Arb.element(Jitter.none()),
    durations.map(Jitter::spread),
    Arb.numericDouble(0.000_001, 1.0).map(Jitter::ratio),
)

internal val curves: Arb<Curve> = Arb.choice(
    durations.map { Curve.Fixed(it) },
    arbitrary { Curve.Linear(durations.bind(), durations.bind()) },
    arbitrary { Curve.Exponential(durations.bind(), factors.bind()) },
)

internal val backoffs: Arb<Backoff> = arbitrary { Backoff(curves.bind(), durations.bind(), jitters.bind()) }

internal val rules: Arb<RetryRule> = arbitrary {
    val rule = Arb.element(
        RetryRule.onCode("mail.bounced"),
        RetryRule.onCode("mail.*"),
        RetryRule.onException("java.io.IOException"),
    ).bind()
    when (Arb.int(0..2).bind()) {
        0 -> rule
        1 -> rule.giveUp()
        else -> rule.retry(backoffs.bind())
    }
}

internal val policies: Arb<RetryPolicy> = arbitrary {
    RetryPolicy(backoffs.bind(), List(Arb.int(0..3).bind()) { rules.bind() }, Arb.element(true, false).bind())
}

internal val failureKinds: Arb<FailureKind> = Arb.element(FailureKind.entries)

private val factors: Arb<Double> = Arb.choice(Arb.numericDouble(1.0, 4.0), Arb.element(1.0, 2.0, 10.0, Double.MAX_VALUE))

/** An id as the reference reads it: one unsigned number of 128 bits. */
internal fun UUID.unsigned(): BigInteger = BigInteger(toString().replace("-", ""), 16)
