package io.runledger.dsl

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.condition.Condition
import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.retry.Backoff
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import java.lang.reflect.Modifier
import java.util.UUID
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

private data class Receipt(val cents: Long)

private val receipt = input<Receipt>("receipt")
private val parcels = input<List<String>>("parcels")
private val charge = jobType<String>("orders.charge")

/** Calls every function of every scope. */
private fun inKotlin(acme: UUID, other: UUID): WorkflowRequest = workflow("orders.fulfil") {
    metadata(mapOf("by" to "dana"))
    organization(acme)
    idempotencyKey("fulfil/1")
    activeKey("order/1")
    header("locale", "de")
    headers(mapOf("trace" to "1"))
    context(mapOf("country" to "DE"))
    contextMerge(ContextMerge.KEEP)
    val charged = job("charge") {
        runs(charge, "A-1")
        organization(other)
        priority(-1)
        maxAttempts(5)
        timeout(10.minutes)
        delay(3.seconds)
        stage(JobStage.SCHEDULED)
        retryPolicy(RetryPolicy.fixed(JavaDuration.ofSeconds(2)))
        header("bank", "2")
        headers(mapOf("locale" to "en"))
        mayContinue()
        limit("bank-api")
        limit("bank-account", "4711")
        orderKey("4711")
        shareKey("eu")
        queue("bank")
    }
    val approved = externalGate("approval") {
        payload(Json.of("""{"who":"ops"}"""))
        after(charged)
        organization(other)
        expiresAfter(3.days, GateExpiry.CANCELED)
    }
    val stocked = externalGate("stock") {
        after(listOf(charged, approved.onTerminal()))
        onlyIf(approved.skipped())
        onlyIfAny(charged.succeeded(), approved.failed())
        onlyIfNone(charged.output("cents").lessThan(0))
        expiresAfter(1.days)
    }
    val picked = listOf("lamp", "bulb").map { item ->
        job("pick-$item") {
            runs("orders.pick", item)
            after(approved, stocked.onTerminal())
        }
    }
    val shipped = job("ship") {
        payload(mapOf("fast" to true))
        unordered()
        uses(charged, receipt)
        uses(picked, parcels)
    }
    job("refund") {
        after(listOf(charged, approved.onFailure()))
        onlyIf(Condition.context("country").equalTo("DE"))
        onlyIf(charged.output("cents").greaterThan(0))
        onlyIfAny(charged.succeeded(), approved.failed())
        onlyIfNone(charged.output("cents").lessThan(0))
    }
    job("plain")
    externalGate("open")
    result(shipped)
}

private fun inJava(acme: UUID, other: UUID): WorkflowRequest {
    val order = WorkflowRequest.builder("orders.fulfil")
        .metadata(mapOf("by" to "dana"))
        .organization(acme)
        .idempotencyKey("fulfil/1")
        .activeKey("order/1")
        .header("locale", "de")
        .headers(mapOf("trace" to "1"))
        .context(mapOf("country" to "DE"))
        .contextMerge(ContextMerge.KEEP)
    val charged = order.job("charge") { job ->
        job.runs(charge, "A-1")
            .organization(other)
            .priority(-1)
            .maxAttempts(5)
            .timeout(JavaDuration.ofMinutes(10))
            .delay(JavaDuration.ofSeconds(3))
            .stage(JobStage.SCHEDULED)
            .retryPolicy(RetryPolicy.fixed(JavaDuration.ofSeconds(2)))
            .header("bank", "2")
            .headers(mapOf("locale" to "en"))
            .mayContinue()
            .limit("bank-api")
            .limit("bank-account", "4711")
            .orderKey("4711")
            .shareKey("eu")
            .queue("bank")
    }
    val approved = order.externalGate("approval") { gate ->
        gate.payload(Json.of("""{"who":"ops"}"""))
            .after(charged)
            .organization(other)
            .expiresAfter(JavaDuration.ofDays(3), GateExpiry.CANCELED)
    }
    val stocked = order.externalGate("stock") { gate ->
        gate.after(listOf(charged, approved.onTerminal()))
            .onlyIf(approved.skipped())
            .onlyIfAny(charged.succeeded(), approved.failed())
            .onlyIfNone(charged.output("cents").lessThan(0))
            .expiresAfter(JavaDuration.ofDays(1))
    }
    val picked = listOf("lamp", "bulb").map { item ->
        order.job("pick-$item") { job ->
            job.runs("orders.pick", item)
                .after(approved, stocked.onTerminal())
        }
    }
    val shipped = order.job("ship") { job ->
        job.payload(mapOf("fast" to true))
            .unordered()
            .uses(charged, receipt)
            .uses(picked, parcels)
    }
    order.job("refund") { job ->
        job.after(listOf(charged, approved.onFailure()))
            .onlyIf(Condition.context("country").equalTo("DE"))
            .onlyIf(charged.output("cents").greaterThan(0))
            .onlyIfAny(charged.succeeded(), approved.failed())
            .onlyIfNone(charged.output("cents").lessThan(0))
    }
    order.job("plain")
    order.externalGate("open")
    return order.result(shipped).build()
}

/** The names of the functions for users, without the methods and the name suffixes that Kotlin generates. */
private fun verbs(type: Class<*>): Set<String> = type.methods
    .filter { it.declaringClass != Any::class.java && !it.isSynthetic && !Modifier.isStatic(it.modifiers) }
    .map { it.name.substringBefore('-') }
    .toSet()

class SameWordsSpec :
    FunSpec({
        test("everything the DSL can say, the builders say in the same words and the same order") {
            val acme = UUID.randomUUID()
            val other = UUID.randomUUID()

            inKotlin(acme, other) shouldBe inJava(acme, other)
        }

        test("an append says the same both ways") {
            val run = UUID.randomUUID()
            val kotlin = append(run, mutationKey = "gift/card", window = "approval") {
                metadata(mapOf("by" to "dana"))
                val picked = job("pick-card") { uses(Upstream.named("charge"), receipt) }
                externalGate("wrapped") { after(picked) }
            }

            val java = AppendRequest.builder(run, "gift/card", "approval").metadata(mapOf("by" to "dana"))
            val picked = java.job("pick-card") { it.uses(Upstream.named("charge"), receipt) }
            java.externalGate("wrapped") { it.after(picked) }
            kotlin shouldBe java.build()
        }

        test("a retry policy says the same both ways, without the names of its parts") {
            retryPolicy {
                exponential(5.seconds, 2.0)
                cap(10.minutes)
                jitter(0.2)
                retryOn("mail.*") {
                    linear(1.minutes, 2.minutes)
                    cap(9.minutes)
                    jitter(1.seconds)
                }
                retryOn(IllegalStateException::class) { fixed(1.seconds) }
                giveUpOn("mail.bounced")
                giveUpOn(IllegalArgumentException::class)
                rule(RetryRule.onCode("bank.busy"))
                retryPanics()
            } shouldBe RetryPolicy.builder()
                .exponential(JavaDuration.ofSeconds(5), 2.0)
                .cap(JavaDuration.ofMinutes(10))
                .jitter(0.2)
                .retryOn("mail.*") { wait ->
                    wait.linear(JavaDuration.ofMinutes(1), JavaDuration.ofMinutes(2))
                        .cap(JavaDuration.ofMinutes(9))
                        .jitter(JavaDuration.ofSeconds(1))
                }
                .retryOn(IllegalStateException::class.java) { wait -> wait.fixed(JavaDuration.ofSeconds(1)) }
                .giveUpOn("mail.bounced")
                .giveUpOn(IllegalArgumentException::class.java)
                .rule(RetryRule.onCode("bank.busy"))
                .retryPanics()
                .build()
            retryPolicy { jitter(Jitter.none()) } shouldBe RetryPolicy.builder().jitter(Jitter.none()).build()
            retryPolicy { } shouldBe RetryPolicy.standard()
        }

        test("a job type and an input are declared the same both ways") {
            jobType<String>("orders.charge") {
                version(2)
                maxAttempts(5)
                timeout(1.minutes)
                priority(7)
                disabled()
                retryPolicy(RetryPolicy.fixed(JavaDuration.ofSeconds(2)))
                limit("bank-api", permits = 8, rate = 100.per(1.seconds, burst = 5))
                limit("bank-account", permits = 1, by = String::trim)
                limit("tenant", rate = 1.per(1.minutes), byOrganization = true)
                limit("shared")
                orderedBy(String::trim, name = "account", afterDeadLetter = AfterDeadLetter.GO_ON)
                fairBy(String::length)
                queue("bank")
            } shouldBe JobType.builder("orders.charge", String::class.java)
                .version(2)
                .maxAttempts(5)
                .timeout(JavaDuration.ofMinutes(1))
                .priority(7)
                .disabled()
                .retryPolicy(RetryPolicy.fixed(JavaDuration.ofSeconds(2)))
                .limit("bank-api") { it.permits(8).rate(Rate.of(100, JavaDuration.ofSeconds(1)).withBurst(5)) }
                .limit("bank-account") { it.permits(1).by(String::trim) }
                .limit("tenant") { it.byOrganization().rate(1, JavaDuration.ofMinutes(1)) }
                .limit("shared")
                .orderedBy(String::trim) { it.named("account").afterDeadLetter(AfterDeadLetter.GO_ON) }
                .fairBy(String::length)
                .queue("bank")
                .build()
            jobType<String>("a") {
                orderedByOrganization()
                fairByOrganization()
            } shouldBe JobType.builder("a", String::class.java).orderedByOrganization().fairByOrganization().build()
            shouldThrow<IllegalArgumentException> {
                jobType<String>("a") { limit("b", permits = 1, byOrganization = true, by = String::trim) }
            }
            receipt shouldBe Input.of("receipt", Receipt::class.java)
            parcels.type().typeName shouldBe "java.util.List<java.lang.String>"
        }

        mapOf(
            WorkflowScope::class.java to WorkflowRequest.Builder::class.java,
            AppendScope::class.java to AppendRequest.Builder::class.java,
            JobScope::class.java to JobStep.Builder::class.java,
            GateScope::class.java to GateStep.Builder::class.java,
            JobTypeScope::class.java to JobType.Builder::class.java,
            BackoffScope::class.java to Backoff.Builder::class.java,
            RetryPolicyScope::class.java to RetryPolicy.Builder::class.java,
        ).forEach { (scope, builder) ->
            test("${scope.simpleName} and ${builder.enclosingClass.simpleName}.Builder know the same verbs") {
                withClue("only in the builder") { (verbs(builder) - verbs(scope) - making).shouldBeEmpty() }
                verbs(builder) shouldContainAll verbs(scope)
            }
        }

        test("verbs that the test above compares are really there") {
            verbs(JobScope::class.java).sorted() shouldContainExactly listOf(
                "after", "delay", "header", "headers", "limit", "maxAttempts", "mayContinue", "onlyIf", "onlyIfAny", "onlyIfNone",
                "orderKey", "organization", "payload", "priority", "queue", "retryPolicy", "runs", "shareKey", "stage", "timeout",
                "unordered", "uses",
            )
        }
    })

/** The methods that build an object, which the DSL does at the end of a block, or that add existing parts. */
private val making = setOf("build", "add", "backoff")
