package io.runledger.model.handler

import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.Optional
import java.util.concurrent.CancellationException
import java.util.function.Consumer

class CancellationSpec :
    FunSpec({
        test("work continues while no stop is requested") {
            val wanted = cancellation(null)

            wanted.isRequested shouldBe false
            shouldNotThrowAny { wanted.throwIfRequested() }
        }

        test("every reason stops the work and is named") {
            Cancellation.Reason.entries.forEach { reason ->
                val unwanted = cancellation(reason)

                unwanted.isRequested shouldBe true
                shouldThrow<CancellationException> { unwanted.throwIfRequested() }.message shouldContain reason.name
            }
        }
    })

private fun cancellation(reason: Cancellation.Reason?) = object : Cancellation {
    override fun reason(): Optional<Cancellation.Reason> = Optional.ofNullable(reason)

    override fun onRequest(action: Consumer<in Cancellation.Reason>): Cancellation.Hook = Cancellation.Hook { }
}
