package io.runledger.console.picture

import java.time.ZoneId
import java.time.ZoneOffset
import java.util.function.Function

/**
 * How a picture is drawn. Immutable. An option that a picture does not use has no effect on it.
 *
 * By default a picture is a part of a page: it has class names, and the page links [PictureStyles.css].
 */
public class PictureOptions private constructor(builder: Builder) {
    /** Whether the picture contains its style sheet and a background, so that it can be a file of its own. */
    @get:JvmName("standalone")
    public val standalone: Boolean = builder.standalone

    /** The colors of a standalone picture. */
    @get:JvmName("theme")
    public val theme: PictureTheme = builder.theme

    /**
     * The width of a timeline or a chart in pixels; null for the usual width of the picture. A graph is as wide as its steps
     * need.
     */
    @get:JvmName("width")
    public val width: Int? = builder.width

    /** The time zone of clock times and dates. */
    @get:JvmName("zone")
    public val zone: ZoneId = builder.zone

    /** Whether a legend explains the signs that the picture uses. */
    @get:JvmName("legend")
    public val legend: Boolean = builder.legend

    /** The ids of groups whose steps are shown one by one: [RunGraph.groups] lists them. */
    @get:JvmName("expanded")
    public val expanded: Set<String> = builder.expanded

    /** Similar steps are shown as one if there are more of them than this. */
    @get:JvmName("groupsOver")
    public val groupsOver: Int = builder.groupsOver

    /** The number of rows of a timeline that are left out at the beginning. */
    @get:JvmName("firstRow")
    public val firstRow: Int = builder.firstRow

    /** The largest number of rows of a timeline. */
    @get:JvmName("rowLimit")
    public val rowLimit: Int = builder.rowLimit

    /** The address of a step's page by the step's key, or null for no link. */
    @get:JvmName("stepHref")
    public val stepHref: Function<String, String?> = builder.stepHref

    /** The address of the page that shows or hides the steps of a group, by the id of the group, or null for no link. */
    @get:JvmName("groupHref")
    public val groupHref: Function<String, String?> = builder.groupHref

    /** Builds options. What is not set has its default. */
    public class Builder internal constructor() {
        internal var standalone = false
        internal var theme = PictureTheme.AUTO
        internal var width: Int? = null
        internal var zone: ZoneId = ZoneOffset.UTC
        internal var legend = true
        internal var expanded: Set<String> = emptySet()
        internal var groupsOver = DEFAULT_GROUPS_OVER
        internal var firstRow = 0
        internal var rowLimit = DEFAULT_ROW_LIMIT
        internal var stepHref = Function<String, String?> { null }
        internal var groupHref = Function<String, String?> { null }

        /** Embeds the style sheet and a background. */
        public fun standalone(): Builder = apply { standalone = true }

        /** Embeds the style sheet and a background, with the colors of [theme]. */
        public fun standalone(theme: PictureTheme): Builder = apply {
            standalone = true
            this.theme = theme
        }

        /** Sets the width of a timeline or a chart in pixels, at least 64. */
        public fun width(pixels: Int): Builder = apply {
            require(pixels >= SMALLEST_WIDTH) { "The width is $pixels: use at least $SMALLEST_WIDTH pixels." }
            width = pixels
        }

        /** Sets the time zone; the default is UTC. */
        public fun zone(zone: ZoneId): Builder = apply { this.zone = zone }

        /** Leaves out the legend. */
        public fun withoutLegend(): Builder = apply { legend = false }

        /** Shows the steps of groups one by one, up to 600 of each group. An id that no group has is ignored. */
        public fun expanded(groupIds: Set<String>): Builder = apply { expanded = groupIds.toSet() }

        /** Shows more than [steps] similar steps as one; the default is 12. */
        public fun groupsOver(steps: Int): Builder = apply {
            require(steps >= 1) { "Groups of more than $steps steps: use 1 or more." }
            groupsOver = steps
        }

        /** Shows [limit] rows of a timeline from row [from], counted from 0; the default is the first 400. */
        public fun rows(from: Int, limit: Int): Builder = apply {
            require(from >= 0 && limit >= 1) { "Rows from $from, at most $limit: use 0 or more, and at least one row." }
            firstRow = from
            rowLimit = limit
        }

        /** Sets the addresses of steps. An address that is not relative, `http` or `https` is ignored. */
        public fun stepHref(hrefOfKey: Function<String, String?>): Builder = apply { stepHref = hrefOfKey }

        /**
         * Sets the addresses that show or hide the steps of groups. An address that is not relative, `http` or `https` is
         * ignored.
         */
        public fun groupHref(hrefOfId: Function<String, String?>): Builder = apply { groupHref = hrefOfId }

        public fun build(): PictureOptions = PictureOptions(this)
    }

    public companion object {
        private const val DEFAULT_GROUPS_OVER = 12
        private const val DEFAULT_ROW_LIMIT = 400
        private const val SMALLEST_WIDTH = 64

        /** A picture in a page, in UTC, without links. */
        @JvmField
        public val DEFAULT: PictureOptions = Builder().build()

        @JvmStatic
        public fun builder(): Builder = Builder()
    }
}
