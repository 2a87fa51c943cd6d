package io.runledger.model.retry;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Checks the values of a retry policy. Each error names the invalid member, so that a stored policy can be corrected.
 */
final class Limits {
    /** The ledger stores retry delays as 32-bit milliseconds. */
    static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    static final String FAMILY = ".*";

    private Limits() {}

    static Duration duration(Duration duration, String member) {
        if (duration.isNegative() || duration.isZero()) {
            throw invalid(member, "must be positive, but is " + duration);
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw invalid(member, "must be at most " + LONGEST + " (about 24 days), but is " + duration);
        }
        Duration whole = duration.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(duration) ? whole : whole.plusMillis(1);
    }

    static double factor(double factor, String member) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw invalid(member, "must be a number of 1 or more, but is " + factor);
        }
        return factor;
    }

    static double ratio(double ratio, String member) {
        if (!(ratio > 0 && ratio <= 1)) {
            throw invalid(member, "must be above 0 and at most 1, but is " + ratio);
        }
        return ratio;
    }

    static String code(String pattern, String member) {
        String stem = pattern.endsWith(FAMILY) ? pattern.substring(0, pattern.length() - FAMILY.length()) : pattern;
        if (isNoName(stem)) {
            throw invalid(
                    member,
                    "cannot match any code: " + Text.quoted(pattern)
                            + "; write a code such as 'mail.bounced' or a family such as 'mail.*'");
        }
        return pattern;
    }

    static String exception(String className, String member) {
        if (isNoName(className)) {
            throw invalid(
                    member,
                    "cannot match any exception: " + Text.quoted(className)
                            + "; write a full class name such as 'java.io.IOException'");
        }
        return className;
    }

    static InvalidRequestException invalid(String member, String problem) {
        return new InvalidRequestException(
                ErrorCode.INVALID_RETRY_POLICY, "The retry policy's '" + member + "' " + problem + ".");
    }

    private static boolean isNoName(String text) {
        return Text.isBlank(text) || Text.isPadded(text) || text.indexOf('*') >= 0 || !Text.isStorable(text);
    }
}
