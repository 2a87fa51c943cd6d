package io.runledger.dsl

import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes

/** A request with all functions of the DSL, repeated in Java by SameWordsTest. */
object SiteReport {
    private val crawlSite = crawlSite()

    @JvmStatic
    fun crawlSite(): JobType<String> = jobType("site.crawl") {
        version(2)
        maxAttempts(5)
        timeout(10.minutes)
        priority(50)
        retryPolicy(RetryPolicy.exponential(java.time.Duration.ofSeconds(1), 2.0))
    }

    @JvmStatic
    fun report(site: String, owner: UUID): WorkflowRequest = workflow("site.report") {
        organization(owner)
        idempotencyKey("report/$site")
        activeKey("report/$site")
        metadata(mapOf("site" to site))
        val crawled = job("crawl") {
            runs(crawlSite, site)
            stage(JobStage.RUNNING)
            delay(1.minutes)
            maxAttempts(3)
            timeout(5.minutes)
            priority(70)
        }
        val approved = externalGate("approval") {
            after(crawled)
            expiresAfter(3.days, GateExpiry.CANCELED)
        }
        val pages = listOf("home", "about").map { page ->
            job("check-$page") {
                runs("site.check", page)
                after(crawled)
            }
        }
        val published = job("publish") { after(pages + approved) }
        job("tidy-up") { after(crawled.onTerminal(), approved.onFailure()) }
        result(published)
    }

    @JvmStatic
    fun more(run: UUID): AppendRequest = append(run, mutationKey = "more", window = "approval") {
        metadata("one more")
        job("check-imprint") {
            runs("site.check", "imprint")
            after(Upstream.named("crawl"))
        }
    }
}
