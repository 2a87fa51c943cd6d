package io.runledger.console.picture.svg

/** Icons in a square of 16 by 16, drawn as lines. They show a state without its color. */
internal enum class Icon(val path: String) {
    DOTS("$CIRCLE M5.5 8h.01M8 8h.01M10.5 8h.01"),
    DIAMOND("M8 1.8L14.2 8L8 14.2L1.8 8z M8 5.4v3M8 10.8v.01"),
    CLOCK("$CIRCLE M8 4.9V8l2.2 1.5"),
    PLAY("$CIRCLE M6.6 5.5L10.6 8L6.6 10.5z"),
    CHECK("$CIRCLE M5.3 8.2L7.2 10.1L10.8 6.2"),
    CROSS("$CIRCLE M6 6L10 10M10 6L6 10"),
    FORWARD("$CIRCLE M5.2 5.8L7.4 8L5.2 10.2M8.6 5.8L10.8 8L8.6 10.2"),
    SLASH("$CIRCLE M4.2 11.8L11.8 4.2"),
    HOURGLASS("M4.5 2.5h7M4.5 13.5h7M5 2.5C5 8 11 8 11 13.5M11 2.5C11 8 5 8 5 13.5"),
    BOLT("M9.2 1.8L4 9h3.6L6.8 14.2L12 7H8.4z"),
    BROKEN("M2 8h3.5M10.5 8H14M7 5L9 11"),
    PAUSE("$CIRCLE M6.4 5.8v4.4M9.6 5.8v4.4"),
    RETRY("M13 8A5 5 0 1 1 11.5 4.4M11.7 1.8V4.6H8.9"),
    SKULL("M3 3H13V13H3z M5.8 5.8L10.2 10.2M10.2 5.8L5.8 10.2"),
    STAR("M8 2L9.8 5.9L14 6.4L10.9 9.3L11.7 13.5L8 11.4L4.3 13.5L5.1 9.3L2 6.4L6.2 5.9z"),
    ;

    companion object {
        const val SIZE: Double = 16.0
    }
}

private const val CIRCLE = "M8 1.8A6.2 6.2 0 1 0 8 14.2A6.2 6.2 0 1 0 8 1.8z"
