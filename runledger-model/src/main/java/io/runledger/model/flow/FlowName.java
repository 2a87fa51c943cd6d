package io.runledger.model.flow;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rule for the names of limits, orders and queues: 1 to 100 letters, digits, dots, underscores and hyphens of ASCII;
 * the first one is a letter or a digit.
 */
public enum FlowName {
    /** The name of a limit. {@code queue} and {@code order} are reserved: keys of queues and orders begin with them. */
    LIMIT("limit"),
    /** The name of an order. Types whose orders have the same name share the order of a key. */
    ORDER("order"),
    /** The name of a queue. */
    QUEUE("queue");

    /** The maximum length of a name. */
    public static final int MAX_LENGTH = 100;

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private static final Set<String> RESERVED = Set.of("queue", "order");

    private final String noun;

    FlowName(String noun) {
        this.noun = noun;
    }

    /** Describes the problem with a name and how to correct it, or returns empty if the name is valid. */
    public Optional<String> problem(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return Optional.of("A " + noun + " has no name: give it one.");
        }
        if (name.length() > MAX_LENGTH) {
            return Optional.of("The name " + Text.quoted(name) + " of a " + noun + " has " + name.length()
                    + " characters: use at most " + MAX_LENGTH + ".");
        }
        if (!VALID.matcher(name).matches()) {
            return Optional.of("The name " + Text.quoted(name) + " of a " + noun
                    + " is not valid: use letters, digits, '.', '_' and '-', and begin with a letter or a digit.");
        }
        if (this == LIMIT && RESERVED.contains(name)) {
            return Optional.of("The name '" + name + "' is reserved: give the limit another one.");
        }
        return Optional.empty();
    }

    /**
     * Returns the name if it is valid.
     *
     * @throws InvalidRequestException with {@code flow.invalid_name} if it is not
     */
    public String require(@Nullable String name) {
        Optional<String> problem = problem(name);
        if (name == null || problem.isPresent()) {
            throw new InvalidRequestException(ErrorCode.FLOW_NAME_INVALID, problem.orElseThrow());
        }
        return name;
    }
}
