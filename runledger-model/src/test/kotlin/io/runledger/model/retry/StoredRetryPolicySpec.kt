package io.runledger.model.retry

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.io.IOException
import java.math.BigDecimal
import java.time.Duration

class StoredRetryPolicySpec :
    FunSpec({
        test("the plain form reads like the policy") {
            val slowing = Backoff.linear(Duration.ofSeconds(1), Duration.ofSeconds(2))
            val policy = RetryPolicy.builder()
                .rule(RetryRule.onCode("mail.*").giveUp())
                .rule(RetryRule.onCode("mail.busy"))
                .rule(RetryRule.onException(IOException::class.java).retry(slowing))
                .retryPanics()
                .build()

            policy.toMap() shouldBe mapOf(
                "backoff" to "exponential",
                "initial" to "PT10S",
                "factor" to 2L,
                "cap" to "PT5M",
                "jitter" to mapOf("spread" to "PT0.5S"),
                "rules" to listOf(
                    mapOf("code" to "mail.*", "then" to "giveUp"),
                    mapOf("code" to "mail.busy", "then" to "retry"),
                    mapOf(
                        "exception" to "java.io.IOException",
                        "then" to mapOf("backoff" to "linear", "initial" to "PT1S", "increment" to "PT2S"),
                    ),
                ),
                "retryPanics" to true,
            )
            policy.toMap().keys.toList() shouldBe listOf("backoff", "initial", "factor", "cap", "jitter", "rules", "retryPanics")
        }

        test("what says nothing is left out") {
            RetryPolicy.fixed(Duration.ofSeconds(5)).toMap() shouldBe mapOf("backoff" to "fixed", "initial" to "PT5S")
        }

        test("any policy survives the detour") {
            checkAll(policies) { policy ->
                RetryPolicy.fromMap(policy.toMap()) shouldBe policy
            }
        }

        test("numbers may come back in any shape a JSON library gives them") {
            listOf<Number>(2, 2L, 2.0, 2f, BigDecimal("2.00")).forEach { factor ->
                RetryPolicy.fromMap(mapOf("backoff" to "exponential", "initial" to "PT10S", "factor" to factor)) shouldBe
                    RetryPolicy.exponential(Duration.ofSeconds(10), 2.0)
            }
        }

        test("a form that is wrong is refused, naming the member") {
            val fixed = mapOf("backoff" to "fixed", "initial" to "PT1S")

            val shrinking = mapOf("backoff" to "exponential", "initial" to "PT1S", "factor" to 0.5)
            val sound = mapOf("code" to "a", "then" to "retry")

            fun rule(vararg members: Pair<String, Any?>) = fixed + ("rules" to listOf(sound, mapOf(*members)))

            val table: List<Pair<String, Map<String, Any?>>> = listOf(
                "backoff" to mapOf(),
                "backoff" to mapOf("backoff" to "fibonacci", "initial" to "PT1S"),
                "backoff" to mapOf("backoff" to 1, "initial" to "PT1S"),
                "initial" to mapOf("backoff" to "fixed"),
                "initial" to mapOf("backoff" to "fixed", "initial" to null),
                "initial" to mapOf("backoff" to "fixed", "initial" to 1000),
                "initial" to mapOf("backoff" to "fixed", "initial" to "10s"),
                "initial" to mapOf("backoff" to "fixed", "initial" to "PT0S"),
                "initial" to mapOf("backoff" to "fixed", "initial" to "PT9999999999999999999999S"),
                "increment" to mapOf("backoff" to "linear", "initial" to "PT1S"),
                "increment" to fixed + ("increment" to "PT1S"),
                "factor" to mapOf("backoff" to "exponential", "initial" to "PT1S"),
                "factor" to mapOf("backoff" to "exponential", "initial" to "PT1S", "factor" to "2"),
                "factor" to mapOf("backoff" to "exponential", "initial" to "PT1S", "factor" to 0),
                "factor" to fixed + ("factor" to 2),
                "cap" to fixed + ("cap" to "P300D"),
                "jitter" to fixed + ("jitter" to "PT1S"),
                "jitter.spread" to fixed + ("jitter" to mapOf<String, Any>()),
                "jitter.spread" to fixed + ("jitter" to mapOf("spread" to "PT-1S")),
                "jitter.ratio" to fixed + ("jitter" to mapOf("ratio" to 2)),
                "jitter.ratio" to fixed + ("jitter" to mapOf("ratio" to "0.1")),
                "jitter.ratio" to fixed + ("jitter" to mapOf("spread" to "PT1S", "ratio" to 0.1)),
                "jitter.kind" to fixed + ("jitter" to mapOf("ratio" to 0.1, "kind" to "x")),
                "retryPanics" to fixed + ("retryPanics" to "yes"),
                "retries" to fixed + ("retries" to 3),
                "rules" to fixed + ("rules" to mapOf("code" to "a")),
                "rules[0]" to fixed + ("rules" to listOf("a")),
                "rules[0]" to fixed + ("rules" to listOf(null)),
                "rules[1].code" to rule("then" to "retry"),
                "rules[1].code" to rule("code" to "a*", "then" to "retry"),
                "rules[1].exception" to rule("exception" to "java.io.*", "then" to "retry"),
                "rules[1].exception" to rule("code" to "a", "exception" to "b", "then" to "retry"),
                "rules[1].then" to rule("code" to "a"),
                "rules[1].then" to rule("code" to "a", "then" to "panic"),
                "rules[1].then" to rule("code" to "a", "then" to true),
                "rules[1].then.initial" to rule("code" to "a", "then" to mapOf("backoff" to "fixed")),
                "rules[1].then.factor" to rule("code" to "a", "then" to shrinking),
                "rules[1].then.jitter.ratio" to rule("code" to "a", "then" to fixed + ("jitter" to mapOf("ratio" to -1))),
                "rules[1].then.rules" to rule("code" to "a", "then" to fixed + ("rules" to listOf<Any>())),
            )

            table.forEach { (member, form) ->
                withClue("$form") {
                    val error = shouldThrow<InvalidRequestException> { read(form) }
                    error.code() shouldBe ErrorCode.INVALID_RETRY_POLICY
                    error.message shouldContain "'$member'"
                }
            }
        }
    })

/** Creates a map with a null member, as a JSON library can. */
@Suppress("UNCHECKED_CAST")
private fun read(form: Map<String, Any?>): RetryPolicy = RetryPolicy.fromMap(form as Map<String, Any>)
