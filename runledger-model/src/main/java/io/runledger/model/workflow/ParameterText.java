package io.runledger.model.workflow;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads parameter values from forms, command lines and JSON: as an instance of the type, as text, or as another number
 * type.
 */
final class ParameterText {
    private static final Map<Class<?>, Kind> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put(String.class, new Kind("a text", text -> text));
        KINDS.put(Integer.class, new Kind("a whole number", text -> new BigDecimal(text).intValueExact()));
        KINDS.put(Long.class, new Kind("a whole number", text -> new BigDecimal(text).longValueExact()));
        KINDS.put(BigDecimal.class, new Kind("a number", BigDecimal::new));
        KINDS.put(Boolean.class, new Kind("true or false", ParameterText::truth));
        KINDS.put(Instant.class, new Kind("an instant such as 2026-01-31T12:00:00Z", Instant::parse));
        KINDS.put(LocalDate.class, new Kind("a date such as 2026-01-31", LocalDate::parse));
        KINDS.put(Duration.class, new Kind("a duration such as PT1H30M", Duration::parse));
        KINDS.put(UUID.class, new Kind("a UUID", UUID::fromString));
    }

    private ParameterText() {}

    static boolean isReadable(Class<?> type) {
        return type.isEnum() || KINDS.containsKey(type);
    }

    static String describe(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(value -> ((Enum<?>) value).name())
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        return KINDS.get(type).description();
    }

    /** Converts the value to {@code type}, or returns empty if this is not possible. */
    static <T> Optional<T> read(Class<T> type, Object given) {
        if (type.isInstance(given)) {
            return Optional.of(type.cast(given));
        }
        boolean isText = given instanceof String && type != String.class;
        boolean isNumber = given instanceof Number && Number.class.isAssignableFrom(type);
        if (!isText && !isNumber) {
            return Optional.empty();
        }
        String text = given.toString().strip();
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(value -> ((Enum<?>) value).name().equals(text))
                    .findFirst();
        }
        try {
            return Optional.of(type.cast(KINDS.get(type).read().apply(text)));
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static Boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return text.equals("true");
    }

    private record Kind(String description, Function<String, Object> read) {}
}
