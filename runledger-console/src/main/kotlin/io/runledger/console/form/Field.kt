package io.runledger.console.form

import java.time.Instant

/** One entry of a form, with its label. [initial] stands in it until the operator enters something else. */
internal sealed class Field(
    val name: String,
    val label: String,
    val initial: String?,
    val hint: String?,
    val isRequired: Boolean,
)

/** A line of text. */
internal class TextField(
    name: String,
    label: String,
    initial: String? = null,
    hint: String? = null,
    isRequired: Boolean = false,
    val suggestions: List<String> = emptyList(),
) : Field(name, label, initial, hint, isRequired)

/** A number. A whole one has a [min] and a [max]. */
internal class NumberField(
    name: String,
    label: String,
    initial: String? = null,
    hint: String? = null,
    isRequired: Boolean = false,
    val min: Long? = null,
    val max: Long? = null,
    val isWhole: Boolean = true,
) : Field(name, label, initial, hint, isRequired)

/** One of several values, by their labels. */
internal class ChoiceField(
    name: String,
    label: String,
    val choices: Map<String, String>,
    initial: String? = null,
    hint: String? = null,
) : Field(name, label, initial, hint, isRequired = true)

/** Yes or no. */
internal class CheckField(name: String, label: String, isChecked: Boolean = false, hint: String? = null) :
    Field(name, label, if (isChecked) YES else null, hint, isRequired = false) {
    companion object {
        const val YES = "yes"
    }
}

/** A date. */
internal class DateField(name: String, label: String, initial: String? = null, isRequired: Boolean = false) :
    Field(name, label, initial, null, isRequired)

/** A date and a time, with the zone in which they are read: UTC, or that of the viewer. */
internal class MomentField(name: String, label: String, at: Instant? = null, hint: String? = null) :
    Field(name, label, at?.let(::localText), hint, isRequired = true) {
    val zoneName: String get() = zoneOf(name)

    companion object {
        /** The name of the field that holds the zone of the time in the field [name]. */
        fun zoneOf(name: String) = "$name-zone"
    }
}

/** A document of JSON. */
internal class JsonField(name: String, label: String, initial: String? = null, hint: String? = null, isRequired: Boolean = true) :
    Field(name, label, initial, hint, isRequired)
