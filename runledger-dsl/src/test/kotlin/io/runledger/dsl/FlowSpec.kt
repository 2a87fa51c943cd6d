package io.runledger.dsl

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.flow.JobFlow
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import java.time.Duration
import kotlin.time.Duration.Companion.seconds

private data class CrmPush(val customer: String, val text: String)

private val crmPush = jobType<CrmPush>("crm.push") {
    limit("crm-api", permits = 8, rate = 100.per(1.seconds))
    limit("crm-customer", by = CrmPush::customer, permits = 1)
    orderedBy(CrmPush::customer)
    fairByOrganization()
    queue("crm")
}

class FlowSpec :
    FunSpec({
        test("a type declares limits, order, shares and queue") {
            val flow = crmPush.flow()
            flow.limits().first().values() shouldBe LimitValues(8, Rate.of(100, Duration.ofSeconds(1)))
            flow.queue() shouldBe "crm"
        }

        test("a request says what applies to one job only") {
            val request = jobRequest(crmPush, CrmPush("42", "hello")) {
                limit("bulk-mail")
                orderKey("other")
                queue("urgent")
            }

            request.settings().flow() shouldBe
                JobFlow.NONE.withLimit(
                    "crm-customer",
                    "42",
                ).withLimit("bulk-mail", null).withOrderKey("other").withQueue("urgent")
        }
    })
