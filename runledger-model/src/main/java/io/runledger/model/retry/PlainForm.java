package io.runledger.model.retry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts a retry policy to strings, numbers, lists and maps and back. The format is stored permanently: add members,
 * but never change an existing one.
 */
final class PlainForm {
    private static final String RETRY = "retry";
    private static final String GIVE_UP = "giveUp";

    private PlainForm() {}

    static Map<String, Object> write(RetryPolicy policy) {
        Map<String, Object> map = write(policy.backoff());
        if (!policy.rules().isEmpty()) {
            map.put("rules", policy.rules().stream().map(PlainForm::write).toList());
        }
        if (policy.retryPanics()) {
            map.put("retryPanics", true);
        }
        return map;
    }

    private static Map<String, Object> write(Backoff backoff) {
        Map<String, Object> map = new LinkedHashMap<>();
        Curve curve = backoff.curve();
        map.put("backoff", curve.kind().name().toLowerCase(Locale.ROOT));
        map.put("initial", curve.initial().toString());
        if (curve instanceof Curve.Linear linear) {
            map.put("increment", linear.increment().toString());
        } else if (curve instanceof Curve.Exponential exponential) {
            map.put("factor", number(exponential.factor()));
        }
        if (!backoff.cap().equals(Limits.LONGEST)) {
            map.put("cap", backoff.cap().toString());
        }
        if (backoff.jitter() instanceof Jitter.Spread spread) {
            map.put("jitter", Map.of("spread", spread.by().toString()));
        } else if (backoff.jitter() instanceof Jitter.Ratio ratio) {
            map.put("jitter", Map.of("ratio", number(ratio.by())));
        }
        return map;
    }

    private static Map<String, Object> write(RetryRule rule) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(rule.subject() == RetryRule.Subject.CODE ? "code" : "exception", rule.pattern());
        Backoff own = rule.backoff();
        map.put("then", own != null ? write(own) : rule.action() == RetryRule.Action.RETRY ? RETRY : GIVE_UP);
        return map;
    }

    /** Writes a whole number without a fraction, because some JSON libraries distinguish 2 from 2.0. */
    private static Number number(double value) {
        return value == (long) value && value < 1e15 ? (Number) (long) value : (Number) value;
    }

    static RetryPolicy read(Map<String, ?> map) {
        Members members = Members.of(map, "retry policy", "");
        Backoff backoff = readBackoff(members);
        List<RetryRule> rules = new ArrayList<>();
        for (Object rule : members.list("rules").orElse(List.of())) {
            String name = "rules[" + rules.size() + "]";
            rules.add(readRule(Members.of(rule, name, name + ".")));
        }
        boolean retryPanics = members.flag("retryPanics").orElse(false);
        members.refuseRest();
        return new RetryPolicy(backoff, rules, retryPanics);
    }

    private static Backoff readBackoff(Members members) {
        Backoff backoff = Backoff.of(readCurve(members));
        return backoff.withCap(members.duration("cap").orElse(Limits.LONGEST))
                .withJitter(members.object("jitter").map(PlainForm::readJitter).orElse(Jitter.none()));
    }

    private static Curve readCurve(Members members) {
        String kind = members.text("backoff").orElseThrow(() -> members.missing("backoff"));
        var initial = members.duration("initial").orElseThrow(() -> members.missing("initial"));
        return switch (kind) {
            case "fixed" -> new Curve.Fixed(initial);
            case "linear" ->
                new Curve.Linear(
                        initial, members.duration("increment").orElseThrow(() -> members.missing("increment")));
            case "exponential" ->
                new Curve.Exponential(
                        initial, members.number("factor", Limits::factor).orElseThrow(() -> members.missing("factor")));
            default -> throw Members.wrong(members.name("backoff"), "'fixed', 'linear' or 'exponential'", kind);
        };
    }

    private static Jitter readJitter(Members members) {
        var spread = members.duration("spread").map(Jitter::spread);
        var jitter = spread.isPresent()
                ? spread
                : members.number("ratio", Limits::ratio).map(Jitter::ratio);
        members.refuseRest();
        return jitter.orElseThrow(() -> members.missing("spread"));
    }

    private static RetryRule readRule(Members members) {
        var code = members.text("code", Limits::code).map(RetryRule::onCode);
        RetryRule rule = code.isPresent()
                ? code.get()
                : members.text("exception", Limits::exception)
                        .map(RetryRule::onException)
                        .orElseThrow(() -> members.missing("code"));
        Object then = members.any("then").orElseThrow(() -> members.missing("then"));
        members.refuseRest();
        if (then.equals(RETRY)) {
            return rule;
        }
        if (then.equals(GIVE_UP)) {
            return rule.giveUp();
        }
        if (then instanceof Map<?, ?>) {
            Members own = Members.of(then, members.name("then"), members.name("then") + ".");
            Backoff backoff = readBackoff(own);
            own.refuseRest();
            return rule.retry(backoff);
        }
        throw Members.wrong(members.name("then"), "'retry', 'giveUp' or an object with a backoff", then);
    }
}
