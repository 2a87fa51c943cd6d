package io.runledger.model.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Usage of inputs from Java. */
class InputTest {
    record Receipt(long cents) {}

    static final Input<Receipt> RECEIPT = Input.of("receipt", Receipt.class);
    static final Input<List<String>> PARCELS = Input.of("parcels", listOfStrings());

    List<String> strings = List.of();

    static Type listOfStrings() {
        try {
            return InputTest.class.getDeclaredField("strings").getGenericType();
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aStepUsesWhatEarlierOnesReturn() {
        var shop = WorkflowRequest.builder("orders.fulfil");
        var charged = shop.job("charge");
        List<JobRef> picked =
                Stream.of("a", "b").map(item -> shop.job("pick-" + item)).toList();
        shop.job("ship", job -> job.uses(charged, RECEIPT).uses(picked, PARCELS));

        assertEquals(
                List.of(
                        new Dependency("charge", ReleaseMode.ON_SUCCESS, "receipt"),
                        new Dependency("pick-a", ReleaseMode.ON_SUCCESS, "parcels"),
                        new Dependency("pick-b", ReleaseMode.ON_SUCCESS, "parcels")),
                shop.build().steps().get(3).dependencies());
        assertEquals("java.util.List<java.lang.String>", PARCELS.type().getTypeName());
    }
}
