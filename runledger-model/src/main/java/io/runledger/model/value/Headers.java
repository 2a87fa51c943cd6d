package io.runledger.model.value;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the headers of jobs, runs and schedules. A name has 1 to 128 printable ASCII characters without spaces;
 * names that differ in case are different names. A value is any text that PostgreSQL can store. For the library's own
 * modules; applications do not need it.
 */
public final class Headers {
    /** The maximum number of headers. */
    public static final int MAX_ENTRIES = 64;

    /** The maximum length of a name. */
    public static final int MAX_NAME_LENGTH = 128;

    private static final int SHOWN_PROBLEMS = 10;

    private Headers() {}

    /** An unmodifiable copy, not validated. Without entries, it is always the same map. */
    public static Map<String, String> copyOf(Map<String, String> headers) {
        return headers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** All problems, in the order of the entries. The texts contain no values. */
    public static List<String> problems(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return List.of();
        }
        List<String> problems = new ArrayList<>();
        if (headers.size() > MAX_ENTRIES) {
            problems.add("There are " + headers.size() + " headers: use at most " + MAX_ENTRIES + ".");
        }
        headers.forEach((name, value) -> {
            nameProblem(name, problems);
            valueProblem(name, value, problems);
        });
        return problems.size() <= SHOWN_PROBLEMS ? problems : shortened(problems);
    }

    /**
     * An unmodifiable copy of valid headers.
     *
     * @throws InvalidRequestException with {@code headers.invalid} and all problems
     */
    public static Map<String, String> requireValid(Map<String, String> headers) {
        List<String> problems = problems(headers);
        if (!problems.isEmpty()) {
            throw new InvalidRequestException(ErrorCode.INVALID_HEADERS, String.join(" ", problems));
        }
        return copyOf(headers);
    }

    /** The entries of both maps. A name that both have keeps the value of {@code own}. */
    public static Map<String, String> merged(Map<String, String> own, Map<String, String> inherited) {
        if (inherited.isEmpty()) {
            return own;
        }
        if (own.isEmpty()) {
            return inherited;
        }
        Map<String, String> all = new HashMap<>(inherited);
        all.putAll(own);
        return Collections.unmodifiableMap(all);
    }

    /** The size of all names and values in bytes of UTF-8. */
    public static long size(Map<String, String> headers) {
        long bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += Text.utf8Length(header.getKey()) + Text.utf8Length(header.getValue());
        }
        return bytes;
    }

    private static void nameProblem(@Nullable String name, List<String> problems) {
        if (name == null || name.isEmpty()) {
            problems.add("A header has no name: give it one.");
        } else if (name.length() > MAX_NAME_LENGTH) {
            problems.add("The header name " + Text.quoted(name) + " has " + name.length() + " characters: use at most "
                    + MAX_NAME_LENGTH + ".");
        } else if (name.chars().anyMatch(character -> character <= ' ' || character >= 0x7F)) {
            problems.add(
                    "The header name " + Text.quoted(name) + " has a space or a character that is not printable ASCII:"
                            + " use letters, digits and punctuation such as '-', '.' and '_'.");
        }
    }

    private static void valueProblem(@Nullable String name, @Nullable String value, List<String> problems) {
        String which = name == null ? "A header" : "The header " + Text.quoted(name);
        if (value == null) {
            problems.add(which + " has no value: give it one, or leave the header out.");
        } else if (!Text.isStorable(value)) {
            problems.add(which
                    + " has a value that PostgreSQL cannot store: remove NUL characters and unpaired surrogates.");
        }
    }

    private static List<String> shortened(List<String> problems) {
        List<String> shown = new ArrayList<>(problems.subList(0, SHOWN_PROBLEMS));
        shown.add("There are " + (problems.size() - SHOWN_PROBLEMS) + " more problems.");
        return shown;
    }
}
