package io.runledger.exposed.flow

import io.runledger.exposed.TestLedger
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import java.time.Duration
import java.time.Instant
import java.util.UUID
import kotlin.random.Random

/** A request of one of a few types that share limits and orders, and its flow, found without the library. */
internal class RandomJob(private val random: Random) {
    private val type = TYPES.keys.random(random)
    private val organization = ORGANIZATIONS.random(random)
    private val customer = listOf("a", "b", "c").random(random)
    private val line = listOf("1", "2", "3", "4").random(random)
    private var queue: String? = null
    private val limitKeys = mutableListOf<String>()
    private var orderKey: String? = null

    val delay: Duration? = if (random.nextInt(6) == 0) Duration.ofHours(1) else null

    val request: JobRequest = JobRequest.builder(type, Json.EMPTY_OBJECT).apply {
        organization?.let { organization(it) }
        delay?.let { delay(it) }
        if (random.nextInt(4) == 0) priority(random.nextInt(90, 110))
        when (type) {
            "push" -> {
                limit("customer", customer)
                limitKeys += listOf("api", "customer:$customer")
            }

            "mail" -> {
                queue = "imports"
                limitKeys += listOf("rated", "tenant:${organization ?: "global"}", "queue:imports")
            }

            "sync" -> {
                limit("customer", customer)
                orderKey(line)
                limitKeys += "customer:$customer"
                orderKey = "line:$line"
            }

            "bill" -> {
                limitKeys += "api"
                if (random.nextInt(5) == 0) {
                    unordered()
                } else {
                    orderKey(line)
                    orderKey = "line:$line"
                }
            }

            else -> extras()
        }
    }.build()

    private fun JobRequest.Builder.extras() {
        if (random.nextInt(4) == 0) {
            limit("api")
            limitKeys += "api"
        }
        if (random.nextInt(4) == 0) {
            queue("exports")
            queue = "exports"
            limitKeys += "queue:exports"
        }
        if (random.nextInt(6) == 0) {
            orderKey(line)
            orderKey = "plain:$line"
        }
    }

    fun of(id: UUID, dueAt: Instant) = ModelJob(id, type, queue, limitKeys, orderKey, holds = type != "bill", dueAt)

    companion object {
        val TYPES = mapOf(
            "plain" to null,
            "push" to """{"limits":[{"name":"api","by":"NONE"},{"name":"customer","by":"KEY"}],"share":{"by":"ORGANIZATION"}}""",
            "mail" to """{"queue":"imports","limits":[{"name":"rated","by":"NONE"},{"name":"tenant","by":"ORGANIZATION"}]}""",
            "sync" to """{"limits":[{"name":"customer","by":"KEY"}],"order":{"name":"line","by":"KEY","holds":true}}""",
            "bill" to """{"limits":[{"name":"api","by":"NONE"}],"order":{"name":"line","by":"KEY","holds":false}}""",
        )

        private val ORGANIZATIONS = listOf(UUID(0, 1), UUID(0, 2), null)

        private val KEYED_BY = mapOf("customer" to KeyedBy.KEY, "tenant" to KeyedBy.ORGANIZATION)

        /** The values that each limit may have: paused, narrow, wide, none. The first ones are those it has in the beginning. */
        private val VALUES = mapOf(
            "api" to listOf(permits(3), permits(1), permits(0), permits(20), LimitValues.NONE),
            "customer" to listOf(permits(1), permits(2), permits(1).withRate(Rate(2, Duration.ofMinutes(1), 0))),
            "tenant" to listOf(permits(2), permits(1), LimitValues.NONE),
            "rated" to listOf(rate(5, 60, 1), rate(1, 3600, 0), rate(100, 1, 10), rate(7, 3, 2).withPermits(2), LimitValues.NONE),
            "queue:imports" to listOf(permits(4), permits(0), LimitValues.NONE),
            "queue:exports" to listOf(LimitValues.NONE, permits(1), permits(0)),
        )

        fun TestLedger.defineAll() {
            TYPES.forEach { (type, flow) -> defineWithFlow(type, flow) }
        }

        /** The values in the beginning and at the end, by limit: they let every job begin some time. */
        val first: Map<String, LimitValues> = VALUES.mapValues { it.value.first() }

        fun keyedBy(limit: String): KeyedBy = KEYED_BY[limit] ?: KeyedBy.NONE

        fun change(random: Random): Pair<String, LimitValues> = VALUES.entries.random(random).let {
            it.key to
                it.value.random(random)
        }

        private fun permits(permits: Int) = LimitValues.permits(permits)

        private fun rate(count: Int, seconds: Long, burst: Int) =
            LimitValues.rate(Rate(count, Duration.ofSeconds(seconds), burst))
    }
}
