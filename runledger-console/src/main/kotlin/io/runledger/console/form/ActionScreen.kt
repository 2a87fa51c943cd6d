package io.runledger.console.form

import io.runledger.console.page.problemPage
import io.runledger.console.visit.Answer
import io.runledger.console.visit.GoTo
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.error.ActionRepeatedException
import io.runledger.model.error.ConflictException
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.NotFoundException
import io.runledger.model.value.UuidV7

/**
 * The page of an action, and what its form does. Nothing is changed without a reason, if the subject is not as the operator saw
 * it, or if a form with the same key was sent before.
 */
internal class ActionScreen<T : Any>(private val action: Action<T>) : Screen {
    override fun register(routes: Routes) {
        routes.get(action.path, action.role, ::shown)
        routes.post(action.path, action.role, ::posted)
    }

    private fun shown(visit: Visit): Answer {
        val subject = action.find(visit)
        return refused(visit, subject) ?: Show(ActionPage(action, visit, subject, newKey()).form())
    }

    private fun posted(visit: Visit): Answer {
        val key = visit.form[ActionPage.KEY]?.takeIf { KEY.matches(it) }
        return try {
            if (key != null) judged(visit, key) else again(visit, INVALID, INCOMPLETE)
        } catch (repeated: ActionRepeatedException) {
            GoTo("/audit/${repeated.actionId()}")
        } catch (missing: NotFoundException) {
            recorded(visit, key) ?: throw missing
        } catch (missing: NoSuchPageException) {
            recorded(visit, key) ?: throw missing
        }
    }

    private fun judged(visit: Visit, key: String): Answer {
        val subject = action.find(visit)
        val saw = visit.form[ActionPage.SEEN].orEmpty()
        val reason = visit.form[ActionPage.REASON]?.trim()
        val refusal = action.refusal(subject)
        refused(visit, subject)?.let { return it }
        return when {
            action.hasMovedOn(saw, subject) ->
                recorded(visit, key) ?: again(visit, CONFLICT, movedOn(saw, action.seen(subject)), subject)

            refusal != null -> recorded(visit, key) ?: again(visit, CONFLICT, refusal, subject)

            reason == null && action.isReasoned ->
                entries(visit, subject, key, FieldProblem(ActionPage.REASON, "Say why: the reason is part of the history."))

            visit.form[ActionPage.DECISION] == ActionPage.AGAIN -> Show(page(visit, subject, key).form())

            else -> ordered(Order(visit, subject, reason.orEmpty(), key))
        }
    }

    private fun ordered(order: Order<T>): Answer = try {
        if (action.hasReview && order.visit.form[ActionPage.DECISION] != ActionPage.CONFIRMED) {
            val review = action.review(order)
            Show(page(order.visit, order.subject, order.key).review(review))
        } else {
            done(order, action.act(order))
        }
    } catch (problem: FieldProblem) {
        entries(order.visit, order.subject, order.key, problem)
    } catch (invalid: InvalidRequestException) {
        Show(page(order.visit, order.subject, order.key, invalid.message).form(), INVALID)
    } catch (repeated: ActionRepeatedException) {
        throw repeated
    } catch (conflict: NotPossible) {
        again(order.visit, CONFLICT, conflict.sentence)
    } catch (conflict: ConflictException) {
        recorded(order.visit, order.key) ?: again(order.visit, CONFLICT, conflict.message.orEmpty())
    }

    private fun done(order: Order<T>, path: String?): Answer {
        val home = path ?: action.home(order.subject)
        val recorded = Recorded.byKey(order.visit, order.key)
        return when {
            action.isLong -> GoTo(if (recorded == null) "/changes/${Visit.encoded(order.key)}" else "/audit/${recorded.id()}")

            recorded == null -> again(order.visit, OK, "Everything was as requested already. Nothing was changed.")

            else -> {
                val undo = if (recorded.kind().isUndoable()) "&undo=yes" else ""
                GoTo("$home${if ('?' in home) '&' else '?'}done=${recorded.id()}$undo")
            }
        }
    }

    /** The form comes back with the entries and [problem] beside its field. */
    private fun entries(visit: Visit, subject: T, key: String, problem: FieldProblem): Answer =
        Show(page(visit, subject, key, null, mapOf(problem.field to problem.sentence)).form(), INVALID)

    /** The form comes back for the subject as it is now. What the operator entered stays; the next form has a key of its own. */
    private fun again(visit: Visit, status: Int, problem: String, subject: T = action.find(visit)): Answer =
        Show(page(visit, subject, newKey(), problem).form(), status)

    private fun page(visit: Visit, subject: T, key: String, problem: String? = null, problems: Map<String, String> = emptyMap()) =
        ActionPage(action, visit, subject, key, visit.form, problem, problems)

    private fun refused(visit: Visit, subject: T): Answer? {
        val role = action.roleFor(subject)
        if (visit.may(role)) return null
        return Show(problemPage("Not allowed", "This needs the role ${role.name.lowercase()}."), FORBIDDEN)
    }

    /** The page of the action that this form has caused before. */
    private fun recorded(visit: Visit, key: String?): Answer? =
        key?.let { Recorded.byKey(visit, it) }?.let { GoTo("/audit/${it.id()}") }

    private fun movedOn(saw: String, now: String): String =
        "Nothing was changed, because this has changed since you opened the form. You saw: ${saw.ifEmpty { "nothing" }}. Now: " +
            "${now.ifEmpty { "nothing" }}. Check it and decide again."

    private companion object {
        const val INCOMPLETE = "The form was not complete. Check it and send it again."
        const val OK = 200
        const val INVALID = 400
        const val FORBIDDEN = 403
        const val CONFLICT = 409

        /** Keys are unique in the ledger, so those of the console do not look like those of services. */
        val KEY = Regex("console:[0-9a-f-]{36}")

        fun newKey(): String = "console:${UuidV7.next()}"
    }
}
