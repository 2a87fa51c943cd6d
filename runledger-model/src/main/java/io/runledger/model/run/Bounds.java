package io.runledger.model.run;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What fits a row: delays and instants in PostgreSQL's range and precision, texts of bounded size. */
final class Bounds {
    /** About 290,000 years: counted in microseconds it fits 64 bits, and from today it ends inside PostgreSQL's range. */
    static final Duration LONGEST = Duration.ofDays(106_000_000);

    static final Instant EARLIEST = Instant.parse("-4713-11-24T00:00:00Z");
    static final Instant TOO_LATE = Instant.parse("+294277-01-01T00:00:00Z");

    static final int MESSAGE_BYTES = 8 * 1024;
    private static final String CUT = "…";
    private static final long CUT_BYTES = Text.utf8Length(CUT);

    private Bounds() {}

    static Duration delay(Duration delay, ErrorCode code, String noun) {
        if (delay.isNegative()) {
            throw new InvalidRequestException(code, "The " + noun + " is negative (" + delay + "): give zero or more.");
        }
        if (delay.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException(
                    code, "The " + noun + " is too long (" + delay + "): give at most " + LONGEST.toDays() + " days.");
        }
        return roundUp(delay, ChronoUnit.MICROS);
    }

    static Duration roundUp(Duration duration, ChronoUnit unit) {
        Duration whole = duration.truncatedTo(unit);
        return whole.equals(duration) ? whole : whole.plus(unit.getDuration());
    }

    static Instant roundUp(Instant instant) {
        Instant whole = instant.truncatedTo(ChronoUnit.MICROS);
        return whole.equals(instant) ? whole : whole.plus(1, ChronoUnit.MICROS);
    }

    /** An instant as PostgreSQL can store it, rounded up to the microsecond. */
    static Instant instant(Instant instant, ErrorCode code, String noun) {
        if (!instant.isBefore(EARLIEST) && instant.isBefore(TOO_LATE)) {
            Instant rounded = roundUp(instant);
            if (rounded.isBefore(TOO_LATE)) {
                return rounded;
            }
        }
        throw new InvalidRequestException(
                code, "PostgreSQL cannot store the " + noun + " (" + instant + "): give one before the year 294277.");
    }

    /** The text as PostgreSQL can store it; cut at the end, visibly, when it is longer than a row should carry. */
    static String message(String text) {
        return text(text, MESSAGE_BYTES);
    }

    /** The text as PostgreSQL can store it, in no more bytes than these; cut at the end, visibly, when it is longer. */
    static String text(String text, int limit) {
        // No code point takes less than one byte per char, so more chars than this never fit.
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
