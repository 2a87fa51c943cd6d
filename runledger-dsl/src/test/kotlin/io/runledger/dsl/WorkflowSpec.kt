package io.runledger.dsl

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateRef
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.StepRef
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import java.lang.reflect.ParameterizedType
import java.util.UUID
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

data class CrawlRequest(val site: String)

val crawlSite = jobType<CrawlRequest>("crawl") { maxAttempts(5) }

class WorkflowSpec :
    FunSpec({
        val acme = UUID.randomUUID()

        test("the DSL and the Java builder say the same thing") {
            val kotlin = workflow("site-report") {
                organization(acme)
                idempotencyKey("site-report/example.org/2026-08")
                activeKey("site/example.org")
                metadata(Json.of("""{"by":"dana"}"""))
                val crawl = job("crawl") {
                    runs(crawlSite, CrawlRequest("example.org"))
                    maxAttempts(5)
                    timeout(10.minutes)
                    priority(-1)
                    delay(3.seconds)
                    stage(JobStage.SCHEDULED)
                    mayContinue()
                }
                val summarise = job("summarise") { after(crawl) }
                val approval = externalGate("approval") {
                    after(summarise)
                    expiresAfter(3.days, GateExpiry.CANCELED)
                    payload(Json.of("""{"who":"ops"}"""))
                }
                job("publish") { after(summarise, approval) }
                job("tidy-up") { after(crawl.onTerminal(), approval.onTerminal()) }
                result(summarise)
            }

            val java = WorkflowRequest.builder("site-report")
                .organization(acme)
                .idempotencyKey("site-report/example.org/2026-08")
                .activeKey("site/example.org")
                .metadata(Json.of("""{"by":"dana"}"""))
            val crawl = java.job("crawl") {
                it.runs(crawlSite, CrawlRequest("example.org")).maxAttempts(5).timeout(10.minutes.toJavaDuration()).priority(-1)
                    .delay(3.seconds.toJavaDuration()).stage(JobStage.SCHEDULED).mayContinue()
            }
            val summarise = java.job("summarise") { it.after(crawl) }
            val approval = java.externalGate("approval") {
                it.after(summarise)
                    .payload(Json.of("""{"who":"ops"}""")).expiresAfter(3.days.toJavaDuration(), GateExpiry.CANCELED)
            }
            java.job("publish") { it.after(summarise, approval) }
            java.job("tidy-up") { it.after(crawl.onTerminal(), approval.onTerminal()) }
            kotlin shouldBe java.result(summarise).build()
        }

        test("loops and functions make fan-out; a list makes fan-in") {
            fun StepsScope.pick(item: String, start: StepRef): JobRef = job("pick-$item") {
                runs("pick", item)
                after(start)
            }

            val order = workflow("orders.fulfil") {
                val paid = job("pay")
                val picked = listOf("a", "b", "c").map { pick(it, paid) }
                job("ship") { after(picked) }
            }

            order.steps().map { it.key() } shouldContainExactly listOf("pay", "pick-a", "pick-b", "pick-c", "ship")
            order.steps().last().dependencies().map { it.step() } shouldContainExactly listOf("pick-a", "pick-b", "pick-c")
        }

        test("an append says the same as Java's builder") {
            val run = UUID.randomUUID()
            val kotlin = append(run, "batch-1", window = "plan") {
                val crawl = job("crawl-1") { after(Upstream.named("start").onTerminal()) }
                job("merge") { after(crawl) }
            }

            val java = AppendRequest.builder(run, "batch-1", "plan")
            val crawl = java.job("crawl-1") { it.after(Upstream.named("start").onTerminal()) }
            java.job("merge") { it.after(crawl) }
            kotlin shouldBe java.build()
        }

        test("all mistakes come at once") {
            val bad = shouldThrow<InvalidWorkflowException> {
                workflow("site-report") {
                    job("crawl") { maxAttempts(0) }
                    job("crawl") { after(Upstream.named("crwl")) }
                }
            }

            bad.problems().map { it.code() } shouldContainExactly
                listOf(ErrorCode.DAG_MAX_ATTEMPTS, ErrorCode.DAG_DUPLICATE_STEP, ErrorCode.DAG_MISSING_DEPENDENCY)
        }

        test("a job type keeps its generic payload type and its defaults") {
            val batch: JobType<List<CrawlRequest>> = jobType("crawl-batch") {
                timeout(1.minutes)
                priority(7)
                version(2)
            }

            (batch.payloadType() as ParameterizedType).rawType shouldBe List::class.java
            batch.timeout() shouldBe 1.minutes.toJavaDuration()
            batch.priority() shouldBe 7
            crawlSite.maxAttempts() shouldBe 5
            crawlSite.payloadType() shouldBe CrawlRequest::class.java
        }

        test("gates and jobs have different reference types") {
            lateinit var gate: GateRef
            val steps = workflow("w") {
                gate = externalGate("g")
                job("j") { after(gate.onFailure()) }
            }.steps()

            (steps[1] as JobStep).dependencies().single() shouldBe gate.onFailure()
        }
    })
