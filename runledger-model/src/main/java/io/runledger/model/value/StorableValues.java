package io.runledger.model.value;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Converts values to a storable form: delays and instants in PostgreSQL's range and precision, texts of bounded
 * size. For the library's own modules; applications do not need it.
 */
public final class StorableValues {
    /**
     * About 290,000 years. In microseconds it fits 64 bits, and counted from today it ends within PostgreSQL's range.
     */
    public static final Duration LONGEST = Duration.ofDays(106_000_000);

    public static final Instant EARLIEST = Instant.parse("-4713-11-24T00:00:00Z");
    public static final Instant TOO_LATE = Instant.parse("+294277-01-01T00:00:00Z");

    public static final int MESSAGE_BYTES = 8 * 1024;
    private static final String CUT = "…";
    private static final long CUT_BYTES = Text.utf8Length(CUT);

    private StorableValues() {}

    public static Duration delay(Duration delay, ErrorCode code, String noun) {
        if (delay.isNegative()) {
            throw new InvalidRequestException(code, "The " + noun + " is negative (" + delay + "): use zero or more.");
        }
        if (delay.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException(
                    code, "The " + noun + " is too long (" + delay + "): use at most " + LONGEST.toDays() + " days.");
        }
        return roundUp(delay, ChronoUnit.MICROS);
    }

    public static Duration roundUp(Duration duration, ChronoUnit unit) {
        Duration whole = duration.truncatedTo(unit);
        return whole.equals(duration) ? whole : whole.plus(unit.getDuration());
    }

    public static Instant roundUp(Instant instant) {
        Instant whole = instant.truncatedTo(ChronoUnit.MICROS);
        return whole.equals(instant) ? whole : whole.plus(1, ChronoUnit.MICROS);
    }

    /** Rounds an instant up to the microsecond and checks that PostgreSQL can store it. */
    public static Instant instant(Instant instant, ErrorCode code, String noun) {
        if (!instant.isBefore(EARLIEST) && instant.isBefore(TOO_LATE)) {
            Instant rounded = roundUp(instant);
            if (rounded.isBefore(TOO_LATE)) {
                return rounded;
            }
        }
        throw new InvalidRequestException(
                code,
                "PostgreSQL cannot store the " + noun + " (" + instant + "): use an instant before the year 294277.");
    }

    /**
     * Replaces characters that PostgreSQL cannot store and truncates the text to {@link #MESSAGE_BYTES}. An ellipsis
     * marks the truncation.
     */
    public static String message(String text) {
        return text(text, MESSAGE_BYTES);
    }

    /**
     * Replaces characters that PostgreSQL cannot store and truncates the text to {@code limit} bytes. An ellipsis marks
     * the truncation.
     */
    public static String text(String text, int limit) {
        // A char takes at least one byte, so a longer text cannot fit.
        String head = text.length() > limit ? text.substring(0, limit + 1) : text;
        String clean = Text.storable(head);
        if (head.length() == text.length() && Text.utf8Length(clean) <= limit) {
            return clean;
        }
        StringBuilder kept = new StringBuilder();
        long bytes = CUT_BYTES;
        for (int at = 0; at < clean.length(); ) {
            String point = Character.toString(clean.codePointAt(at));
            bytes += Text.utf8Length(point);
            if (bytes > limit) {
                break;
            }
            kept.append(point);
            at += point.length();
        }
        return kept.append(CUT).toString();
    }
}
