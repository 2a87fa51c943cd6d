package io.runledger.console.picture.look

/** Classes of the style sheet that several pictures use. */
internal object Look {
    const val NAME = "rl-name"
    const val LABEL = "rl-label"
    const val DETAIL = "rl-detail"
    const val CARD = "rl-card"
    const val BAR = "rl-bar"
    const val TRACK = "rl-track"
    const val HATCH = "rl-hatch"
    const val GRID = "rl-grid"
    const val AXIS = "rl-axis"
    const val LINK = "rl-link"
}
