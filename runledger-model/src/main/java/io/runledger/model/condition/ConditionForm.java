package io.runledger.model.condition;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts conditions to maps and lists, as stored and evaluated by the database, and back. */
final class ConditionForm {
    private static final String STEP = "step";

    private ConditionForm() {}

    static Map<String, Object> write(Condition condition) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (condition instanceof Condition.Ended ended) {
            map.put(STEP, ended.step());
            map.put("ended", ended.ending().name());
        } else if (condition instanceof Condition.Compared compared) {
            if (compared.value().step() != null) {
                map.put(STEP, compared.value().step());
            }
            map.put("path", compared.value().path());
            map.put("is", compared.comparison().name());
            if (compared.comparison() != Comparison.EXISTS) {
                map.put("operand", compared.operand());
            }
        } else if (condition instanceof Condition.Combined combined) {
            map.put(
                    combined.combination().name().toLowerCase(Locale.ROOT),
                    combined.conditions().stream().map(ConditionForm::write).toList());
        }
        return map;
    }

    static Condition read(@Nullable Object form) {
        if (!(form instanceof Map<?, ?> map)) {
            throw unknown(form);
        }
        for (Condition.Combination combination : Condition.Combination.values()) {
            if (map.get(combination.name().toLowerCase(Locale.ROOT)) instanceof List<?> list) {
                List<Condition> conditions = new ArrayList<>();
                list.forEach(part -> conditions.add(read(part)));
                return new Condition.Combined(combination, conditions);
            }
        }
        String step = map.get(STEP) instanceof String key ? key : null;
        if (step != null && map.get("ended") instanceof String ending) {
            return new Condition.Ended(step, constant(StepEnding.class, ending));
        }
        if (map.get("path") instanceof List<?> path && map.get("is") instanceof String comparison) {
            List<String> names = path.stream().map(String::valueOf).toList();
            return new Condition.Compared(
                    new ValuePath(step, names), constant(Comparison.class, comparison), map.get("operand"));
        }
        throw unknown(form);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException absent) {
            throw unknown(name);
        }
    }

    private static InvalidRequestException unknown(@Nullable Object form) {
        return new InvalidRequestException(
                ErrorCode.INVALID_ARGUMENT,
                "The condition is unknown to this version of the library: " + Text.quoted(String.valueOf(form)) + ".");
    }
}
