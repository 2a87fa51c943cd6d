package io.runledger.coroutines.attempt

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.loop.attempt
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext

class RunningJobsSpec :
    FunSpec({
        test("a removal that meets the wait for the last attempt ends the wait") {
            runTest {
                val attempts = List(20) { attempt() }
                withContext(Dispatchers.Default) {
                    repeat(2_000) {
                        val running = RunningJobs()
                        attempts.forEach(running::add)
                        val waiting = async { running.awaitEmpty() }
                        attempts.forEach { launch { running.remove(it) } }
                        waiting.await()

                        running.isEmpty shouldBe true
                    }
                }
            }
        }

        test("attempts that have ended and are not settled are counted, each once") {
            runTest {
                val running = RunningJobs()
                val (first, second) = List(2) { attempt().also(running::add) }
                repeat(2) { running.settle(first) }
                running.settle(second)
                running.unsettled shouldBe 2

                repeat(2) { running.remove(first) }
                running.unsettled shouldBe 1
            }
        }
    })
