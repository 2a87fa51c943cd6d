package io.runledger.exposed.json

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.Json
import tools.jackson.core.JacksonException
import tools.jackson.databind.JsonNode
import tools.jackson.databind.PropertyNamingStrategies
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.OffsetDateTime
import java.util.UUID

class JacksonCodecSpec :
    FunSpec({
        val codec = JacksonCodec()

        test("a Kotlin class goes in and comes out, with the text that will be stored for years") {
            val order = Order(
                id = UUID(1, 2),
                placed = Instant.parse("2026-03-29T01:30:00.123456789Z"),
                day = LocalDate.of(2026, 3, 29),
                delivery = OffsetDateTime.parse("2026-03-30T09:00:00+05:45"),
                patience = Duration.ofMinutes(90),
                total = BigDecimal("12.50"),
                colour = Colour.RED,
                note = null,
            )

            val json = codec.encode(order)

            json.text shouldBe """{"id":"00000000-0000-0001-0000-000000000002","placed":"2026-03-29T01:30:00.123456789Z",""" +
                """"day":"2026-03-29","delivery":"2026-03-30T09:00:00+05:45","patience":"PT1H30M","total":12.50,""" +
                """"colour":"RED","note":null}"""
            codec.decode(json, Order::class.java) shouldBe order
        }

        test("properties the class does not know are ignored, missing ones take the default") {
            codec.decode(Json.of("""{"name":"a","added":{"later":[1]}}"""), Ping::class.java) shouldBe Ping("a", 1)
        }

        test("a null where Kotlin allows none is refused, in a list too") {
            shouldThrow<JacksonException> { codec.decode(Json.of("""{"name":null}"""), Ping::class.java) }
            shouldThrow<JacksonException> { codec.decode(Json.of("""{"names":["a",null]}"""), Names::class.java) }
        }

        test("a number that does not fit is refused instead of cut") {
            shouldThrow<JacksonException> { codec.decode(Json.of("""{"name":"a","times":1.5}"""), Ping::class.java) }
            shouldThrow<JacksonException> { codec.decode(Json.of("""{"name":"a","times":3000000000}"""), Ping::class.java) }
        }

        test("numbers of trees and untyped values are exact") {
            val exact = Json.of("""{"big":123456789012345678901234567890,"fine":0.10000000000000000000000000001}""")

            codec.encode(codec.decode(exact, JsonNode::class.java)) shouldBe exact
            val map = codec.decode(exact, Map::class.java)!!
            map["big"] shouldBe BigInteger("123456789012345678901234567890")
            map["fine"] shouldBe BigDecimal("0.10000000000000000000000000001")
        }

        test("JSON at the ledger's limits can be decoded") {
            codec.decode(Json.of("[".repeat(512) + "]".repeat(512)), JsonNode::class.java)!!.isArray shouldBe true
            codec.decode(Json.of("9".repeat(10_000)), BigInteger::class.java) shouldBe BigInteger("9".repeat(10_000))
        }

        test("JSON passes through untouched, and null is JSON's null") {
            val json = Json.of(""" { "b": 1, "a": 2 } """)

            codec.encode(json) shouldBeSameInstanceAs json
            codec.decode(json, Json::class.java) shouldBeSameInstanceAs json
            codec.encode(null) shouldBe Json.NULL
            codec.decode(Json.NULL, Ping::class.java) shouldBe null
        }

        test("what the ledger cannot store is refused when it is encoded") {
            shouldThrow<InvalidRequestException> { codec.encode("a\u0000b") }
            shouldThrow<InvalidRequestException> { codec.encode("\uD800") }
        }

        test("preparing for a type changes nothing of what is decoded or refused") {
            val prepared = JacksonCodec()
            listOf(Ping::class.java, Json::class.java, Runnable::class.java).forEach { prepared.prepare(it) }

            prepared.decode(Json.of("""{"name":"a"}"""), Ping::class.java) shouldBe Ping("a", 1)
            prepared.decode(Json.of("null"), Ping::class.java) shouldBe null
            shouldThrow<JacksonException> { prepared.decode(Json.of("{}"), Runnable::class.java) }
        }

        test("class names in a payload choose nothing") {
            shouldThrow<JacksonException> {
                codec.decode(Json.of("""["java.util.ArrayList",[]]"""), Ping::class.java)
            }
            codec.decode(Json.of("""{"@class":"java.io.File","name":"a"}"""), Ping::class.java) shouldBe Ping("a", 1)
        }

        test("a mapper of one's own decides") {
            val snakes = JacksonCodec(
                JacksonCodec.standardMapper().rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build(),
            )

            snakes.encode(LongName("x")).text shouldBe """{"first_name":"x"}"""
        }
    })

private enum class Colour {
    RED,
    ;

    override fun toString() = "a colour"
}

private data class Order(
    val id: UUID,
    val placed: Instant,
    val day: LocalDate,
    val delivery: OffsetDateTime,
    val patience: Duration,
    val total: BigDecimal,
    val colour: Colour,
    val note: String?,
)

private data class Ping(val name: String, val times: Int = 1)

private data class Names(val names: List<String>)

private data class LongName(val firstName: String)
