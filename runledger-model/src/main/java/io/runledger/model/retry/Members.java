package io.runledger.model.retry;

import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the members of one object of a stored retry policy by type, and rejects members that were not read. */
final class Members {
    private final String path;
    private final Map<String, Object> left = new HashMap<>();

    private Members(String path) {
        this.path = path;
    }

    /**
     * Starts reading an object; {@code path} is the prefix of the member names in messages, for example
     * {@code rules[0].}.
     */
    static Members of(@Nullable Object value, String name, String path) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(name, "an object", value);
        }
        Members members = new Members(path);
        map.forEach((key, member) -> {
            if (member == null) {
                throw Limits.invalid(path + key, "is null: remove it");
            }
            members.left.put(String.valueOf(key), member);
        });
        return members;
    }

    String name(String member) {
        return path + member;
    }

    Optional<Object> any(String member) {
        return Optional.ofNullable(left.remove(member));
    }

    Optional<String> text(String member) {
        return typed(member, String.class, "a text");
    }

    Optional<String> text(String member, BinaryOperator<String> check) {
        return text(member).map(text -> check.apply(text, name(member)));
    }

    Optional<Double> number(String member, BiFunction<Double, String, Double> check) {
        return typed(member, Number.class, "a number").map(number -> check.apply(number.doubleValue(), name(member)));
    }

    Optional<Boolean> flag(String member) {
        return typed(member, Boolean.class, "true or false");
    }

    Optional<Duration> duration(String member) {
        return text(member).map(text -> {
            try {
                return Limits.duration(Duration.parse(text), name(member));
            } catch (DateTimeException | ArithmeticException unreadable) {
                throw Limits.invalid(
                        name(member),
                        "is not a duration: " + Text.quoted(text) + "; write ISO-8601, for example 'PT10S'");
            }
        });
    }

    Optional<List<?>> list(String member) {
        return any(member).map(value -> {
            if (value instanceof List<?> list) {
                return list;
            }
            throw wrong(name(member), "a list", value);
        });
    }

    Optional<Members> object(String member) {
        return any(member).map(value -> of(value, name(member), name(member) + "."));
    }

    InvalidRequestException missing(String member) {
        return Limits.invalid(name(member), "is missing");
    }

    void refuseRest() {
        left.keySet().stream().sorted().findFirst().ifPresent(unknown -> {
            throw Limits.invalid(
                    name(unknown), "is unknown to this version of the library: remove it, or upgrade the library");
        });
    }

    private <T> Optional<T> typed(String member, Class<T> type, String noun) {
        return any(member).map(value -> {
            if (type.isInstance(value)) {
                return type.cast(value);
            }
            throw wrong(name(member), noun, value);
        });
    }

    static InvalidRequestException wrong(String name, String noun, @Nullable Object value) {
        return Limits.invalid(name, "must be " + noun + ", but is " + Text.quoted(String.valueOf(value)));
    }
}
