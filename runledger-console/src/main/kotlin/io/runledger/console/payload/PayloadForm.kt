package io.runledger.console.payload

import io.runledger.console.content.Redaction
import io.runledger.console.form.CheckField
import io.runledger.console.form.ChoiceField
import io.runledger.console.form.DateField
import io.runledger.console.form.Field
import io.runledger.console.form.FieldProblem
import io.runledger.console.form.JsonField
import io.runledger.console.form.NumberField
import io.runledger.console.form.Order
import io.runledger.console.form.TextField
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import tools.jackson.databind.JsonNode
import tools.jackson.databind.node.JsonNodeFactory
import tools.jackson.databind.node.ObjectNode
import java.math.BigDecimal
import java.math.BigInteger

/**
 * The part of a form with which a payload is entered: a field for each member if the class of the payload is flat and known, or a
 * document of JSON otherwise. Hidden values are not shown, and stay as they are where they are not replaced.
 */
internal class PayloadForm(private val visit: Visit, jobType: String, private val original: Json?) {
    private val type: JobType<*>? = visit.ledgers.jobTypes[jobType]
    private val codec = visit.ledgers.writes.codec
    private val hidden = HiddenValues(visit.ledgers.json.redaction)
    private val shown: Json? = original ?: type?.let { PayloadSample.of(it, codec) }
    private val tree: JsonNode? = shown?.let(JsonTrees::read)

    /** Null if the payload is entered as a document. */
    private val members: List<PayloadMember>? by lazy {
        val known = (type?.payloadType() as? Class<*>)?.let(PayloadMember::of)
        known?.takeIf { !asksForDocument() && tree is ObjectNode && fits(tree, it) }
    }

    val isDocument: Boolean get() = members == null

    fun fields(): List<Field> = members?.map(::field) ?: listOf(
        JsonField(
            DOCUMENT,
            "Payload as JSON",
            visit.ledgers.json.whole(shown ?: Json.EMPTY_OBJECT),
            "Where ${Redaction.SIGN} is left in place of a hidden value, the value stays as it is.".takeIf { original != null },
        ),
    )

    /** The payload that the operator has entered. */
    fun read(order: Order<*>): Json {
        val entered = members?.let { fromMembers(order, it) } ?: order.json(DOCUMENT)
            ?: throw FieldProblem(DOCUMENT, "Enter a payload.")
        val payload = try {
            hidden.restored(entered, original)
        } catch (unknown: HiddenValues.UnknownValue) {
            throw FieldProblem(
                DOCUMENT,
                "It is not certain which hidden value belongs at ${unknown.place}. Enter the value itself in place of " +
                    "${Redaction.SIGN}.",
                unknown,
            )
        }
        requireReadable(payload)
        return payload
    }

    private fun asksForDocument() = visit.query["as"] == "json" || visit.form[DOCUMENT] != null

    /** A member that the class does not have would be lost, and one of another kind would not be shown. */
    private fun fits(tree: ObjectNode, members: List<PayloadMember>): Boolean {
        val names = members.map { it.name }
        return tree.propertyNames().all { it in names } && tree.properties().none { (_, value) -> value.isContainer }
    }

    private fun field(member: PayloadMember): Field {
        val name = PREFIX + member.name
        val value = tree?.get(member.name)?.takeUnless { it.isNull }
        val text = value?.asString()
        if (hidden.hides(member.name)) {
            val isKept = original != null && value != null
            val hint = "Leave ${Redaction.SIGN} to keep the value."
            return TextField(name, member.name, Redaction.SIGN.takeIf { isKept }, hint.takeIf { isKept })
        }
        return when (member.kind) {
            PayloadMember.Kind.TEXT -> TextField(name, member.name, text)
            PayloadMember.Kind.WHOLE_NUMBER -> NumberField(name, member.name, text)
            PayloadMember.Kind.NUMBER -> NumberField(name, member.name, text, isWhole = false)
            PayloadMember.Kind.BOOLEAN -> CheckField(name, member.name, value?.asBoolean(false) ?: false)
            PayloadMember.Kind.DATE -> DateField(name, member.name, text)
            PayloadMember.Kind.CHOICE -> ChoiceField(name, member.name, choices(member, value == null), text.orEmpty())
        }
    }

    private fun choices(member: PayloadMember, isEmpty: Boolean): Map<String, String> =
        (if (isEmpty) listOf("") else emptyList()).plus(member.choices).associateWith { it.ifEmpty { "nothing" } }

    private fun fromMembers(order: Order<*>, members: List<PayloadMember>): Json {
        val payload = (original?.let(JsonTrees::read) as? ObjectNode)?.deepCopy() ?: JsonNodeFactory.instance.objectNode()
        members.forEach { member ->
            val name = PREFIX + member.name
            val before = tree?.get(member.name)
            if (original != null && hidden.hides(member.name) && order.text(name) == Redaction.SIGN) return@forEach
            when (val value = value(order, name, member, before)) {
                null -> if (before != null) payload.putNull(member.name)
                else -> payload.set(member.name, value)
            }
        }
        return JsonTrees.write(payload)
    }

    /** Null if the field is empty. An empty text stays empty unless it was null before. */
    private fun value(order: Order<*>, name: String, member: PayloadMember, before: JsonNode?): JsonNode? {
        val make = JsonNodeFactory.instance
        val text = visit.form[name]
        return when (member.kind) {
            PayloadMember.Kind.TEXT -> (text ?: "".takeIf { before?.isString == true })?.let(make::stringNode)

            PayloadMember.Kind.CHOICE -> text?.let(make::stringNode)

            PayloadMember.Kind.DATE -> order.date(name)?.let { make.stringNode(it.toString()) }

            PayloadMember.Kind.BOOLEAN -> make.booleanNode(order.isChecked(name)).takeIf {
                it.booleanValue() ||
                    before?.isBoolean == true
            }

            PayloadMember.Kind.WHOLE_NUMBER -> text?.let { make.numberNode(wholeNumber(name, it.trim())) }

            PayloadMember.Kind.NUMBER -> text?.let { make.numberNode(number(name, it.trim())) }
        }
    }

    private fun wholeNumber(name: String, text: String): BigInteger =
        text.toBigIntegerOrNull() ?: throw FieldProblem(name, "“$text” is not a whole number.")

    private fun number(name: String, text: String): BigDecimal =
        text.toBigDecimalOrNull() ?: throw FieldProblem(name, "“$text” is not a number.")

    private fun requireReadable(payload: Json) {
        val known = type ?: return
        try {
            codec.decode(payload, known.payloadType())
        } catch (failure: Exception) {
            val detail = failure.message.orEmpty().lineSequence().first().take(DETAIL)
            throw FieldProblem(DOCUMENT, "The payload cannot be read as ${known.payloadType().typeName}: $detail", failure)
        }
    }

    companion object {
        const val DOCUMENT = "payload"
        private const val PREFIX = "member-"
        private const val DETAIL = 300
    }
}
