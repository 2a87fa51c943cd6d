package io.runledger.console.form

import io.runledger.console.access.ConsoleRole
import io.runledger.console.content.Section
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent

/**
 * One thing that an operator can do to a subject of the class [T]: what its page says, which entries its form has, and the call
 * that does it. [ActionScreen] shows and performs all of them in the same way.
 *
 * @property path the address of the page, with `{names}` for parts of it
 * @property label what the button says, such as “Cancel the job”
 * @property section the entry of the navigation that stays marked
 * @property isDangerous whether the effect cannot be taken back
 */
internal abstract class Action<T : Any>(
    val path: String,
    val label: String,
    val section: Section,
    val role: ConsoleRole = ConsoleRole.OPERATOR,
    val isDangerous: Boolean = false,
) {
    /** Reads the subject that the address names, in the scope of the user. Throws if there is none. */
    abstract fun find(visit: Visit): T

    /** The address of this action's page for [subject], below the console. */
    abstract fun address(subject: T): String

    /** The page of [subject], where the operator came from and returns to. */
    abstract fun home(subject: T): String

    /** The role that the action needs on [subject], if that is more than [role]. */
    open fun roleFor(subject: T): ConsoleRole = role

    open fun title(subject: T): String = label

    /** What will happen, in plain sentences. The greatest consequence comes first. */
    abstract fun consequence(subject: T): String

    /** Why the action is not possible in the present state of [subject]; null if it is. */
    open fun refusal(subject: T): String? = null

    /** The state that the operator sees on the page. If it differs when the form comes back, nothing is changed. */
    open fun seen(subject: T): String = ""

    /** Whether [subject] differs from what the operator [saw] so much that the operator must decide again. */
    open fun hasMovedOn(saw: String, subject: T): Boolean = saw != seen(subject)

    open fun fields(visit: Visit, subject: T): List<Field> = emptyList()

    /** Shows what will be changed. */
    open fun preview(content: FlowContent, visit: Visit, subject: T) {}

    /** Whether the operator confirms [review] on a second page before it is done. */
    open val hasReview: Boolean get() = false

    /** What the operator confirms. */
    open fun review(order: Order<T>): Review = error("$label has no review.")

    /** Whether the ledger records why it is done. If so, the form asks for it. */
    open val isReasoned: Boolean get() = true

    /** Whether it may continue after the request has been answered. Its record then shows how far it is. */
    open val isLong: Boolean get() = false

    /** Does it, and returns the page to show next; null for [home]. */
    abstract fun act(order: Order<T>): String?
}

/** The second page of an action in two steps. */
internal class Review(val sentence: String, val content: FlowContent.() -> Unit)
