package io.runledger.exposed.json

import com.fasterxml.jackson.annotation.JsonProperty
import com.fasterxml.jackson.annotation.JsonTypeInfo
import com.fasterxml.jackson.annotation.JsonTypeName
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import tools.jackson.core.JacksonException

class SealedTypesSpec :
    FunSpec({
        val codec = JacksonCodec()

        fun stored(value: Any, declared: Class<*>) = Payload.of(value, declared).encode(codec).text()

        test("a value of a sealed type says by a short name which class it is, and comes back as that class") {
            val written = mapOf(
                Greeting.Hello("Ada") to """{"@type":"Hello","name":"Ada"}""",
                Greeting.Silence to """{"@type":"Silence"}""",
                Farewell("Ada", 3) to """{"@type":"bye","to":"Ada","nod_times":3}""",
                Greeting.Rude.Shout("!") to """{"@type":"Shout","what":"!"}""",
            )

            written.entries.forAll { (value, text) ->
                stored(value, Greeting::class.java) shouldBe text
                codec.decode(Json.of(text), Greeting::class.java) shouldBe value
            }
        }

        test("an object comes back as the one there is") {
            codec.decode(Json.of("""{"@type":"Silence"}"""), Greeting::class.java) shouldBeSameInstanceAs Greeting.Silence
        }

        test("values inside a value of the family say what they are too") {
            val echo = Greeting.Echo(Greeting.Hello("Ada"), listOf(Greeting.Silence))
            val text = """{"@type":"Echo","first":{"@type":"Hello","name":"Ada"},"rest":[{"@type":"Silence"}]}"""

            stored(echo, Greeting::class.java) shouldBe text
            codec.decode(Json.of(text), Greeting::class.java) shouldBe echo
        }

        test("a type that says itself how it is told apart is left to its annotations") {
            val text = """{"shape":"circle","radius":2}"""

            stored(Shape.Circle(2), Shape::class.java) shouldBe text
            codec.decode(Json.of(text), Shape::class.java) shouldBe Shape.Circle(2)
        }

        test("a class of the family that is declared by itself is written as before") {
            stored(Greeting.Hello("Ada"), Greeting.Hello::class.java) shouldBe """{"name":"Ada"}"""
            codec.encode(Greeting.Hello("Ada")).text() shouldBe """{"name":"Ada"}"""
        }

        test("what no class of the family is called cannot be decoded, nor what says nothing") {
            listOf("""{"@type":"Whisper"}""", """{"name":"Ada"}""", """{"@type":null}""", "[]", "7").forAll { text ->
                shouldThrow<JacksonException> { codec.decode(Json.of(text), Greeting::class.java) }
            }
        }

        test("two classes that would have the same name are refused instead of mixed up") {
            shouldThrow<RuntimeException> { stored(Twins.Left.Same, Twins::class.java) }.message shouldContain
                "cannot be encoded"
        }

        test("a name is what the JSON calls the class") {
            codec.nameOf(Greeting.Hello::class.java) shouldBe "Hello"
            codec.nameOf(Farewell::class.java) shouldBe "bye"
        }
    })

sealed interface Greeting {
    data class Hello(val name: String) : Greeting

    data object Silence : Greeting

    data class Echo(val first: Greeting, val rest: List<Greeting>) : Greeting

    sealed interface Rude : Greeting {
        data class Shout(val what: String) : Rude
    }
}

@JsonTypeName("bye")
data class Farewell(val to: String, @get:JsonProperty("nod_times") @param:JsonProperty("nod_times") val nods: Int) : Greeting

@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "shape")
sealed interface Shape {
    @JsonTypeName("circle")
    data class Circle(val radius: Int) : Shape
}

sealed interface Twins {
    sealed interface Left : Twins {
        data object Same : Left
    }

    sealed interface Right : Twins {
        data object Same : Right
    }
}
