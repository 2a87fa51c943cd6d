package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.form.FilledForm
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.send
import io.runledger.model.job.JobType
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import java.time.LocalDate
import java.util.UUID

data class Invoice(val customer: String, val cents: Long, val paid: Boolean, val due: LocalDate?, val apiToken: String?)

private val invoice = JobType.of("invoice.send", Invoice::class.java)

class EditActionsSpec :
    FunSpec({
        fun bench() = ActionBench { jobTypes(listOf(invoice)) }.also { bench ->
            autoClose(bench)
            bench.client.definitions.declare(invoice)
        }

        fun ActionBench.payload(id: UUID) = job(id).payload().text().replace(" ", "")

        test("the difference is shown before the payload is saved") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting("{\"to\":\"ada\",\"copies\":1}")

            val review = ada.fill("/jobs/$job/edit", "payload" to "{\"to\":\"bob\",\"copies\":1}", "reason" to "wrong address")

            review.statusCode() shouldBe 200
            review.body() shouldContain "<del>-   &quot;to&quot;"
            review.body() shouldContain "<ins>+   &quot;to&quot;"
            bench.payload(job) shouldContain "\"ada\""
            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303
            bench.payload(job) shouldContain "\"bob\""
            bench.audit().single().reason() shouldBe "wrong address"
        }

        test("the operator can go back to the form with the entries") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting()

            val review = ada.fill("/jobs/$job/edit", "payload" to "{\"to\":\"bob\"}", "reason" to "wrong address")
            val form = FilledForm(ada.send(FilledForm(review.body()), "decision" to "again").body())

            form["payload"] shouldBe "{\"to\":\"bob\"}"
            form["reason"] shouldBe "wrong address"
            bench.audit().shouldBeEmpty()
        }

        test("what is not JSON comes back with a sentence and as it was entered") {
            val bench = bench()
            val job = bench.waiting()

            val answer = bench.bench.viewer("ada").fill("/jobs/$job/edit", "payload" to "{\"to\":", "reason" to "typo")

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "The text is not JSON"
            FilledForm(answer.body())["payload"] shouldBe "{\"to\":"
        }

        test("an equal payload is not saved") {
            val bench = bench()
            val job = bench.waiting("{\"to\":\"ada\"}")

            val answer = bench.bench.viewer("ada").fill(
                "/jobs/$job/edit",
                "payload" to "{ \"to\" : \"ada\" }",
                "reason" to "nothing",
            )

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "The payload is the same as before."
        }

        test("hidden values are not on the page and stay as they are") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting("{\"to\":\"ada\",\"login\":{\"password\":\"hunter2\",\"user\":\"a\"}}")

            val form = ada.form("/jobs/$job/edit")
            form["payload"]!! shouldNotContain "hunter2"
            val review = ada.send(form, "payload" to form["payload"]!!.replace("\"ada\"", "\"bob\""), "reason" to "address")
            review.body() shouldNotContain "hunter2"
            ada.send(FilledForm(review.body()), "decision" to "confirmed")

            bench.payload(job) shouldContain "\"password\":\"hunter2\""
            bench.payload(job) shouldContain "\"to\":\"bob\""
        }

        test("the edit of another operator is not overwritten") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting()
            val review = ada.fill("/jobs/$job/edit", "payload" to "{\"to\":\"bob\"}", "reason" to "wrong address")
            bench.client.jobs.editPayload(Scope.everything(), job, Payload.json("{\"to\":\"cleo\"}"), "meanwhile")

            val answer = ada.send(FilledForm(review.body()), "decision" to "confirmed")

            answer.statusCode() shouldBe 409
            bench.payload(job) shouldContain "cleo"
        }

        test("a flat payload whose class is known has a field for each member") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.client.jobs.enqueue(invoice, Invoice("ada", 1_999, false, LocalDate.of(2026, 12, 1), "hunter2")).id()

            val form = ada.form("/jobs/$job/edit")
            form["member-customer"] shouldBe "ada"
            form["member-cents"] shouldBe "1999"
            form["member-paid"] shouldBe null
            form["member-due"] shouldBe "2026-12-01"
            form["member-apiToken"] shouldBe "•••"
            val review = ada.send(form, "member-cents" to "2500", "member-paid" to "yes", "member-due" to "", "reason" to "price")
            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303

            bench.client.codec.decode(bench.job(job).payload(), Invoice::class.java) shouldBe
                Invoice("ada", 2_500, true, null, "hunter2")
        }

        test("a number that is none is refused at its field") {
            val bench = bench()
            val job = bench.client.jobs.enqueue(invoice, Invoice("ada", 1, false, null, null)).id()

            val answer = bench.bench.viewer("ada").fill("/jobs/$job/edit", "member-cents" to "twelve", "reason" to "price")

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "“twelve” is not a whole number."
        }

        test("a payload that does not fit its class is refused") {
            val bench = bench()
            val job = bench.client.jobs.enqueue(invoice, Invoice("ada", 1, false, null, null)).id()
            val form = bench.bench.viewer("ada").let { it to it.form("/jobs/$job/edit?as=json") }

            val answer = form.first.send(form.second, "payload" to "{\"customer\":{\"name\":\"ada\"}}", "reason" to "wrong")

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "cannot be read as io.runledger.console.action.Invoice"
        }

        test("a new job is enqueued from a form with a sample of its class, once") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            ada.get("/jobs/new").body() shouldContain "/jobs/enqueue?type=invoice.send"

            val form = ada.form("/jobs/enqueue?type=invoice.send")
            form["member-customer"] shouldBe ""
            form["member-cents"] shouldBe "0"
            val first = ada.send(
                form,
                "member-customer" to "bob",
                "member-cents" to "300",
                "priority" to "4",
                "reason" to "by hand",
            )
            ada.send(form, "member-customer" to "bob", "reason" to "by hand").statusCode() shouldBe 303

            first.statusCode() shouldBe 303
            val job = bench.client.jobs.list(Scope.everything()).items().single()
            job.priority() shouldBe 4
            bench.client.codec.decode(bench.job(job.id()).payload(), Invoice::class.java)!!.customer shouldBe "bob"
        }

        test("an operator of one organization enqueues for that organization") {
            val bench = bench()
            val own = UUID.randomUUID()

            bench.bench.viewer("ada", scope = Scope.organization(own))
                .fill(
                    "/jobs/enqueue?type=mail.send",
                    "payload" to "{}",
                    "organization" to UUID.randomUUID().toString(),
                    "reason" to "by hand",
                )

            bench.client.jobs.list(Scope.everything()).items().single().organizationId() shouldBe own
            bench.client.jobs.list(Scope.organization(own)).items().size shouldBe 1
        }
    })
