package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.ConsoleBench
import io.runledger.console.Viewer
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.FilledForm
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.console.screen.flow.claim
import io.runledger.console.screen.flow.flowBench
import io.runledger.console.screen.flow.push
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import java.net.http.HttpResponse
import java.time.Duration

class FlowActionsSpec :
    FunSpec({
        fun bench() = autoClose(flowBench())

        fun ConsoleBench.root() = viewer("root", ConsoleRole.ADMINISTRATOR)

        fun ConsoleBench.audit() = client.audit.list(Scope.everything(), AuditQuery.all()).items()

        /** Fills in the form at [path], and confirms its second page. */
        fun Viewer.confirm(path: String, vararg entries: Pair<String, String>): HttpResponse<String> =
            fill(path, *entries).also { it.statusCode() shouldBe 200 }.let { review ->
                send(FilledForm(review.body()), "decision" to "confirmed")
            }

        test("a limit is changed after a second page that says what it means, and reset") {
            val bench = bench()
            val root = bench.root()
            bench.push("ada", "bob", "cleo", "dora", "eve")
            bench.claim(5).size shouldBe 5
            val values = arrayOf("permits" to "3", "count" to "1", "period" to "0.5", "burst" to "")
            val entries = values + ("reason" to "They ask for it.")

            val review = root.fill("/limits/crm-api/change", *entries).body()
            review shouldContain "At most 3 jobs with this limit run at once, in the whole fleet."
            review shouldContain "Jobs with this limit begin evenly, one in each 500 ms"
            review shouldContain "5 jobs with this limit run now: no further one begins until 3 of them have ended."
            review shouldContain "<del>8 at once, 100 in 1.0 s, burst 10</del>"
            bench.client.limits.get("crm-api").changed() shouldBe false
            root.confirm("/limits/crm-api/change", *entries).location()!! shouldContain "/limits/crm-api?done="

            val changed = bench.client.limits.get("crm-api")
            changed.inForce() shouldBe LimitValues(3, Rate.of(1, Duration.ofMillis(500)))
            changed.changed() shouldBe true
            root.fill("/limits/crm-api/reset", "reason" to "They are well again.").statusCode() shouldBe 303
            bench.client.limits.get("crm-api").run { inForce() == declared() && !changed() } shouldBe true
            root.get("/limits/crm-api/reset").body() shouldContain "no operator has changed them"
            bench.audit().map { Triple(it.kind(), it.actor(), it.reason()) } shouldBe listOf(
                Triple(OperatorActionKind.LIMIT_RESET, "root", "They are well again."),
                Triple(OperatorActionKind.LIMIT_CHANGE, "root", "They ask for it."),
            )
        }

        test("empty entries do not limit the jobs, and zero permits pause them") {
            val bench = bench()
            val root = bench.root()
            val none = arrayOf("permits" to "", "count" to "", "period" to "", "burst" to "", "reason" to "free")

            root.confirm("/limits/crm-api/change", *none).statusCode() shouldBe 303
            bench.client.limits.get("crm-api").inForce() shouldBe LimitValues.NONE
            root.fill("/limits/crm-api/change", "permits" to "0", "reason" to "stop").body() shouldContain
                "No job with this limit begins until the permits are raised."
        }

        test("entries that cannot be used come back with a sentence, and nothing is changed") {
            val bench = bench()
            val root = bench.root()
            fun refused(vararg entries: Pair<String, String>, reason: String = "test", sentence: String) {
                val answer = root.fill("/limits/crm-api/change", "reason" to reason, *entries)
                answer.statusCode() shouldBe 400
                answer.body() shouldContain sentence
            }

            refused(sentence = "These values are in force already")
            refused("permits" to "-1", sentence = "-1 is out of range")
            refused("permits" to "many", sentence = "is not a whole number")
            refused("period" to "", sentence = "Enter the period of the rate.")
            refused("count" to "", sentence = "Enter how many jobs begin in the period")
            refused("count" to "", "period" to "", sentence = "A burst needs a rate")
            refused("period" to "0", sentence = "0 is out of range")
            refused("period" to "1e999999999", sentence = "is not a number of seconds")
            refused("period" to "soon", sentence = "is not a number of seconds")
            refused("count" to "2000000000", "period" to "1", sentence = "more than one in a microsecond")
            refused("count" to "1", "period" to "3600", "burst" to "1000000", sentence = "takes more than 366 days to fill")
            refused("permits" to "3", reason = " ", sentence = "Say why")
            bench.audit().shouldBeEmpty()
        }

        test("a form that shows old values changes nothing") {
            val bench = bench()
            val root = bench.root()
            val stale = root.form("/limits/crm-api/change")
            bench.client.actingAs("dana").limits.changePermits("crm-api", 5, "first")

            val answer = root.send(stale, "permits" to "4", "reason" to "second")

            answer.statusCode() shouldBe 409
            answer.body() shouldContain "Now: 5 at once, 100 in 1.0 s, burst 10, by an operator."
            bench.client.limits.get("crm-api").inForce().permits() shouldBe 5
        }

        test("a queue is paused, limited while it is paused, and resumed with its limit") {
            val bench = bench()
            val root = bench.root()

            root.fill("/queues/crm/pause", "reason" to "The service is down.").statusCode() shouldBe 303
            bench.client.queues.get("crm").paused() shouldBe true
            root.get("/queues/crm/pause").body() shouldContain "The queue is paused already."
            root.fill("/queues/crm/limit", "permits" to "0", "reason" to "test").statusCode() shouldBe 400
            root.confirm("/queues/crm/limit", "permits" to "2", "reason" to "slowly").statusCode() shouldBe 303
            bench.client.queues.get("crm").run { paused() to values() } shouldBe (true to LimitValues.permits(2))
            root.get("/queues/crm/resume").body() shouldContain "At most 2 jobs of this queue run at once"
            root.fill("/queues/crm/resume", "reason" to "It is up.").statusCode() shouldBe 303
            bench.client.queues.get("crm").run { paused() to values() } shouldBe (false to LimitValues.permits(2))
            bench.audit().map { it.kind() } shouldBe
                listOf(OperatorActionKind.QUEUE_RESUME, OperatorActionKind.LIMIT_CHANGE, OperatorActionKind.QUEUE_PAUSE)
        }

        test("an operator neither changes limits and queues nor undoes such a change; an administrator undoes it") {
            val bench = bench()
            bench.root().confirm("/limits/crm-api/change", "permits" to "3", "reason" to "fewer").statusCode() shouldBe 303
            val ada = bench.viewer("ada")
            val id = bench.audit().single().id()

            listOf("/limits/crm-api/change", "/limits/crm-api/reset", "/queues/crm/pause", "/audit/$id/undo").forEach {
                ada.get(it).statusCode() shouldBe 403
            }
            ada.get("/limits/crm-api").body().contains("/limits/crm-api/change") shouldBe false
            bench.root().fill("/audit/$id/undo", "reason" to "not needed").statusCode() shouldBe 303

            bench.client.limits.get("crm-api").changed() shouldBe false
            bench.root().get("/audit/$id").body() shouldContain "href=\"/runledger/limits/crm-api\""
        }
    })
