package io.runledger.console.http

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import java.io.InputStream

class PathPartsSpec :
    FunSpec({
        fun parts(path: String) = object : ConsoleRequest("GET", "", path, null, false) {
            override fun header(name: String): String? = null
            override fun hostRequest(): Any = this
            override fun body(): InputStream = InputStream.nullInputStream()
        }.parts

        test("each part is decoded by itself, so that a slash in a name does not end it") {
            parts("/schedules/a%2Fb%20c") shouldContainExactly listOf("", "schedules", "a/b c")
        }

        test("a plus sign in a path is a plus sign") {
            parts("/types/a+b%2Bc%20d") shouldContainExactly listOf("", "types", "a+b+c d")
        }

        test("names in any script come back") {
            parts("/types/%C3%BCber%F0%9F%8E%89") shouldContainExactly listOf("", "types", "über🎉")
        }

        test("a part that is not encoded correctly stays as it is") {
            parts("/types/100%") shouldContainExactly listOf("", "types", "100%")
            parts("/types/%zz") shouldContainExactly listOf("", "types", "%zz")
        }
    })
