package io.runledger.console.form

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.action.ActionBench
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import java.util.UUID
import java.util.concurrent.CompletableFuture

class ActionFormSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        test("a form that is sent twice changes the job once and answers with the recorded action") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting()
            val form = ada.form("/jobs/$job/cancel")

            ada.send(form, "reason" to "double")
            bench.client.jobs.requeue(Scope.everything(), job)
            val second = ada.send(form, "reason" to "double")

            second.location() shouldBe "/audit/${bench.audit().single().id()}"
            bench.job(job).status() shouldBe JobStatus.PENDING
        }

        test("two copies of a form that arrive at once are one action") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/jobs/enqueue?type=mail.send")

            val answers = List(4) {
                CompletableFuture.supplyAsync { ada.send(form, "payload" to "{}", "reason" to "once") }
            }.map { it.join() }

            answers.map { it.statusCode() }.distinct() shouldBe listOf(303)
            bench.audit() shouldHaveSize 1
            bench.client.jobs.counts(Scope.everything())[JobStatus.PENDING] shouldBe 1
        }

        test("a form of a stale page says what the job is now, changes nothing, and can be sent again after that") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting()
            val stale = ada.form("/jobs/$job/cancel")
            bench.running()

            val answer = ada.send(stale, "reason" to "too slow")

            answer.statusCode() shouldBe 409
            answer.body() shouldContain "You saw: pending, run 1. Now: leased, run 1."
            bench.audit().shouldBeEmpty()
            val fresh = FilledForm(answer.body())
            fresh["reason"] shouldBe "too slow"
            fresh["key"] shouldNotBe stale["key"]
            ada.send(fresh).statusCode() shouldBe 303
            bench.job(job).status() shouldBe JobStatus.CANCELED
        }

        test("without a reason the form comes back with a sentence at its field") {
            val bench = bench()
            val job = bench.waiting()

            val answer = bench.bench.viewer("ada").fill("/jobs/$job/priority", "priority" to "12", "reason" to "  ")

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "Say why: the reason is part of the history."
            answer.body() shouldContain "aria-invalid=\"true\""
            FilledForm(answer.body())["priority"] shouldBe "12"
            bench.audit().shouldBeEmpty()
        }

        test("the last reasons of the user are offered") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            ada.fill("/jobs/${bench.waiting()}/cancel", "reason" to "incident 4711")

            ada.get("/jobs/${bench.waiting()}/cancel").body() shouldContain "<option value=\"incident 4711\">"
            bench.bench.viewer("bob").get("/jobs/${bench.waiting()}/cancel").body().contains("incident 4711") shouldBe false
        }

        test("a form without a token, with the token of another browser, or from another site is refused") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val eve = bench.bench.viewer("eve")
            val job = bench.waiting()
            val form = ada.form("/jobs/$job/cancel")
            val good = form.with("reason" to "forged")
            val foreign = eve.form("/jobs/$job/cancel")["form-token"]!!

            ada.postRaw(form.path, good.filter { it.first != "form-token" }).statusCode() shouldBe 403
            ada.postRaw(form.path, form.with("reason" to "forged", "form-token" to foreign)).statusCode() shouldBe 403
            ada.postRaw(form.path, good, "Origin" to "https://elsewhere.example").statusCode() shouldBe 403
            ada.postRaw(form.path, good, "Sec-Fetch-Site" to "cross-site").statusCode() shouldBe 403
            ada.postRaw(form.path, good, "Sec-Fetch-Site" to "same-site").statusCode() shouldBe 403

            bench.job(job).status() shouldBe JobStatus.PENDING
            bench.audit().shouldBeEmpty()
            ada.postRaw(form.path, good, "Sec-Fetch-Site" to "same-origin").statusCode() shouldBe 303
        }

        test("a form without a key of the console is incomplete") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val job = bench.waiting()
            val form = ada.form("/jobs/$job/cancel")

            ada.send(form, "reason" to "no key", "key" to "").statusCode() shouldBe 400
            ada.send(form, "reason" to "no key", "key" to "mine").statusCode() shouldBe 400

            bench.job(job).status() shouldBe JobStatus.PENDING
        }

        test("the form of one job cannot be sent to a job of another organization") {
            val bench = bench()
            val own = UUID.randomUUID()
            val ada = bench.bench.viewer("ada", scope = Scope.organization(own))
            val hers = bench.waiting(organization = own)
            val theirs = bench.waiting(organization = UUID.randomUUID())
            val form = ada.form("/jobs/$hers/cancel")

            ada.postRaw("/jobs/$theirs/cancel", form.with("reason" to "curious")).statusCode() shouldBe 404

            bench.job(theirs).status() shouldBe JobStatus.PENDING
        }

        test("text of operators and of the ledger is not markup") {
            val bench = bench()
            val job = bench.waiting()

            val answer = bench.bench.viewer("ada").fill(
                "/jobs/$job/priority",
                "priority" to "<script>",
                "reason" to "\"><script>alert(1)</script>",
            )

            answer.statusCode() shouldBe 400
            answer.body().contains("<script>alert") shouldBe false
            answer.body() shouldContain "“&lt;script&gt;” is not a whole number."
        }
    })
