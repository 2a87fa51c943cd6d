package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import java.util.UUID

class AppendRequestSpec :
    FunSpec({
        val run = UUID.randomUUID()
        fun append(window: String = "plan", key: String = "m1", steps: AppendRequest.Builder.() -> Unit) =
            AppendRequest.builder(run, key, window).apply(steps).build()

        fun codes(block: () -> Unit) = shouldThrow<InvalidWorkflowException> { block() }.problems().map { it.code() }

        test("new steps may wait for existing ones and for each other") {
            val request = append {
                val crawl = job("crawl-1") { it.after(Upstream.named("plan").onTerminal()) }
                job("merge") { it.after(crawl) }
            }

            shouldNotThrowAny { request.requireFits(setOf("plan", "start")) }
        }

        test("an empty batch, a blank mutation key and a blank window are refused together") {
            codes { append(window = "\t", key = " ") {} } shouldContainExactly
                listOf(ErrorCode.APPEND_KEY_BLANK, ErrorCode.APPEND_WINDOW_MISSING, ErrorCode.DAG_EMPTY)
        }

        test("a key of an existing step is refused, one used twice in the batch too") {
            codes { append { job("plan") }.requireFits(setOf("plan")) } shouldContainExactly listOf(ErrorCode.DAG_DUPLICATE_STEP)
            codes { append { repeat(2) { job("crawl") } } } shouldContainExactly listOf(ErrorCode.DAG_DUPLICATE_STEP)
        }

        test("an edge to nothing is refused once the run's steps are known, with the nearest of them") {
            val request = append { job("merge") { it.after(Upstream.named("plam")) } }

            val bad = shouldThrow<InvalidWorkflowException> { request.requireFits(setOf("plan")) }
            bad.code() shouldBe ErrorCode.DAG_MISSING_DEPENDENCY
            bad.problems().single().message().endsWith("did you mean 'plan'?") shouldBe true
        }

        test("a cycle inside the batch is refused") {
            codes {
                append {
                    job("a") { it.after(Upstream.named("b")) }
                    job("b") { it.after(Upstream.named("a")) }
                }
            } shouldContainExactly listOf(ErrorCode.DAG_CYCLE)
        }
    })
