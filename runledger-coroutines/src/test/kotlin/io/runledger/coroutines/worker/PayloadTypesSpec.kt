package io.runledger.coroutines.worker

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.runledger.coroutines.handlers
import io.runledger.exposed.json.JacksonCodec
import io.runledger.model.job.JobType
import io.runledger.model.json.PayloadCodec
import java.lang.reflect.Type

class PayloadTypesSpec :
    FunSpec({
        test("the codec is prepared for each payload type, also after one that it cannot prepare for") {
            val prepared = mutableListOf<Type>()
            val codec = object : PayloadCodec by JacksonCodec() {
                override fun prepare(type: Type) {
                    prepared += type
                    check(type != Int::class.javaObjectType) { "No numbers." }
                }
            }
            val handlers = handlers {
                on(JobType.of("count", Int::class.javaObjectType)) { }
                on(JobType.of("greet", String::class.java)) { }
            }

            PayloadTypes(handlers, codec).prepare()

            prepared shouldContainExactly listOf(Int::class.javaObjectType, String::class.java)
        }
    })
