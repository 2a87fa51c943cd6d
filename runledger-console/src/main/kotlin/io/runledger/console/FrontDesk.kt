package io.runledger.console

import io.runledger.console.access.AccessRefusedException
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleUser
import io.runledger.console.content.Topic
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.FormTooLargeException
import io.runledger.console.http.PROTECTION
import io.runledger.console.live.LiveHub
import io.runledger.console.live.Marks
import io.runledger.console.page.Assets
import io.runledger.console.page.Frame
import io.runledger.console.page.problemPage
import io.runledger.console.visit.Answer
import io.runledger.console.visit.ConsoleLedgers
import io.runledger.console.visit.Document
import io.runledger.console.visit.GoTo
import io.runledger.console.visit.Guard
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Route
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import org.slf4j.LoggerFactory
import java.util.Map.entry

/** Finds out who asks and for what, lets the screen answer, and writes the answer with the headers that protect it. */
internal class FrontDesk(
    private val access: ConsoleAccess,
    private val ledgers: ConsoleLedgers,
    private val routes: Routes,
    private val frame: Frame,
    private val assets: Assets,
    private val hub: LiveHub,
    private val guard: Guard,
) {
    fun answer(request: ConsoleRequest): ConsoleResponse = try {
        if (request.path.startsWith(ASSETS)) asset(request) else forUser(request)
    } catch (refused: AccessRefusedException) {
        plain(if (refused.isSignedIn) FORBIDDEN else UNAUTHORIZED, refused.message.orEmpty())
    } catch (tooLarge: FormTooLargeException) {
        plain(TOO_LARGE, tooLarge.message.orEmpty())
    } catch (failure: Exception) {
        log.error("A request to the console failed.", failure)
        plain(FAILED, "Something failed. The log of the service has the details.")
    }

    private fun forUser(request: ConsoleRequest): ConsoleResponse {
        val user = access.userOf(request) ?: return plain(UNAUTHORIZED, "Sign in to the service that hosts this console.")
        return if (request.path == "/live") live(request, user) else screen(request, user)
    }

    private fun screen(request: ConsoleRequest, user: ConsoleUser): ConsoleResponse {
        val marks = hub.marks
        val known = guard.tokenOf(request)
        val token = known ?: guard.newToken()
        val method = if (request.method == "HEAD") "GET" else request.method
        val fitting = routes.all.mapNotNull { route -> route.match(request.parts)?.let { route to it } }
        val (route, parts) = fitting.firstOrNull { it.first.method == method } ?: (null to emptyMap())
        val visit = Visit(request, user, ledgers, parts, token)
        val (status, answer) = when {
            route == null && fitting.isEmpty() -> problem(
                NOT_FOUND,
                "There is no such page",
                "The address ${request.path} has no page.",
            )

            route == null -> problem(NOT_ALLOWED, "Not allowed", "This address does not answer ${request.method}.")

            !user.may(route.role) -> problem(
                FORBIDDEN,
                "Not allowed",
                "This needs the role ${route.role.name.lowercase()}; yours is ${user.role.name.lowercase()}.",
            )

            route.method == "POST" -> guarded(visit) { tried(visit, marks, route) }

            else -> tried(visit, marks, route)
        }
        return written(status, answer, visit, isNewToken = known == null)
    }

    private fun guarded(visit: Visit, act: () -> Pair<Int, Answer>): Pair<Int, Answer> {
        val refusal = guard.refusal(visit.request)
        return when {
            refusal != null -> problem(FORBIDDEN, "Not done", refusal)
            !guard.allows(visit.user.name) -> problem(TOO_MANY, "Not done", "Too many actions in a short time: wait a minute.")
            else -> act().also { ledgers.snapshots.clear() }
        }
    }

    /** The page is rendered here, because its content may read rows too. */
    private fun tried(visit: Visit, marks: Marks, route: Route): Pair<Int, Answer> = try {
        when (val answer = route.answer(visit)) {
            is Show -> answer.status to Document(HTML, frame.render(answer.page, visit, answer.page.topic?.let(marks::of)))
            else -> OK to answer
        }
    } catch (missing: NoSuchPageException) {
        problem(NOT_FOUND, "There is no such page", missing.message.orEmpty())
    } catch (refused: RunledgerException) {
        val status = when (refused.category()) {
            ErrorCategory.NOT_FOUND -> NOT_FOUND
            ErrorCategory.VALIDATION -> INVALID
            ErrorCategory.CONFLICT -> CONFLICT
            ErrorCategory.UNAVAILABLE -> UNAVAILABLE
            else -> FAILED
        }
        if (status == FAILED) log.error("A page of the console failed.", refused)
        val title = if (refused.code() == ErrorCode.DB_READ_ONLY) READ_ONLY else TITLES.getValue(status)
        problem(status, title, refused.message.orEmpty())
    } catch (tooLarge: FormTooLargeException) {
        throw tooLarge
    } catch (failure: Exception) {
        log.error("A page of the console failed.", failure)
        problem(FAILED, TITLES.getValue(FAILED), "The log of the service has the details.")
    }

    private fun problem(status: Int, title: String, sentence: String): Pair<Int, Answer> =
        status to Show(problemPage(title, sentence), status)

    private fun written(status: Int, answer: Answer, visit: Visit, isNewToken: Boolean): ConsoleResponse {
        val headers = ArrayList(PROTECTION)
        if (isNewToken) headers += entry("Set-Cookie", guard.cookie(visit.request, visit.formToken))
        return when (answer) {
            is Show -> {
                headers += entry("Content-Type", HTML)
                ConsoleResponse(status, headers, ConsoleResponse.Bytes(frame.render(answer.page, visit).toByteArray()))
            }

            is GoTo -> {
                headers += entry("Location", visit.request.base + answer.path)
                ConsoleResponse(SEE_OTHER, headers, ConsoleResponse.Bytes(ByteArray(0)))
            }

            is Document -> {
                headers += entry("Content-Type", answer.contentType)
                answer.fileName?.let { headers += entry("Content-Disposition", "attachment; filename=\"$it\"") }
                ConsoleResponse(status, headers, ConsoleResponse.Bytes(answer.text.toByteArray()))
            }
        }
    }

    private fun live(request: ConsoleRequest, user: ConsoleUser): ConsoleResponse {
        if (request.method != "GET") return plain(NOT_ALLOWED, "This address does not answer ${request.method}.")
        val topic = request.query["topic"]?.let(Topic::of) ?: return plain(INVALID, "The topic is not known.")
        val isShown = isInScope(topic, user)
        val events = if (isShown) hub.events(topic, request.query["seen"]) else null
        return when {
            !isShown -> plain(NOT_FOUND, "There is no such job or run.")
            events == null -> plain(UNAVAILABLE, "Too many open pages.")
            else -> ConsoleResponse(OK, PROTECTION + STREAM, events)
        }
    }

    private fun isInScope(topic: Topic, user: ConsoleUser): Boolean = when (topic) {
        Topic.Ledger -> true
        is Topic.OfJob -> ledgers.reads.jobs.find(user.scope, topic.id) != null
        is Topic.OfRun -> ledgers.reads.workflows.find(user.scope, topic.id) != null
    }

    private fun asset(request: ConsoleRequest): ConsoleResponse {
        if (request.method != "GET" && request.method != "HEAD") return plain(NOT_ALLOWED, "A file is only read.")
        val asset = assets.find(request.path.removePrefix(ASSETS)) ?: return plain(NOT_FOUND, "There is no such file.")
        val headers = PROTECTION.filter { it.key != "Cache-Control" } + listOf(
            entry("Content-Type", asset.contentType),
            entry("Cache-Control", "public, max-age=31536000, immutable"),
        )
        return ConsoleResponse(OK, headers, ConsoleResponse.Bytes(asset.bytes))
    }

    private fun plain(status: Int, text: String) = ConsoleResponse(
        status,
        PROTECTION + entry("Content-Type", "text/plain; charset=utf-8"),
        ConsoleResponse.Bytes("$text\n".toByteArray()),
    )

    private companion object {
        const val ASSETS = "/asset/"
        const val HTML = "text/html; charset=utf-8"
        const val OK = 200
        const val SEE_OTHER = 303
        const val INVALID = 400
        const val UNAUTHORIZED = 401
        const val FORBIDDEN = 403
        const val NOT_FOUND = 404
        const val NOT_ALLOWED = 405
        const val CONFLICT = 409
        const val TOO_LARGE = 413
        const val TOO_MANY = 429
        const val FAILED = 500
        const val UNAVAILABLE = 503
        const val READ_ONLY = "The database accepts no changes"
        val TITLES = mapOf(
            NOT_FOUND to "Not found",
            INVALID to "Not valid",
            CONFLICT to "Not possible now",
            UNAVAILABLE to "The database does not answer",
            FAILED to "Something failed",
        )

        /** The second header keeps a proxy from collecting events before it passes them on. */
        val STREAM = listOf(entry("Content-Type", "text/event-stream; charset=utf-8"), entry("X-Accel-Buffering", "no"))
        val log = LoggerFactory.getLogger(FrontDesk::class.java)
    }
}
