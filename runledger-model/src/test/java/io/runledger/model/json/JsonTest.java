package io.runledger.model.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void jsonIsATextThatWasChecked() {
        Json order = Json.of("{\"order\":42}");

        assertEquals("{\"order\":42}", order.text());
        assertEquals(order, new Json("{\"order\":42}"));
    }

    @Test
    void textThatIsNoJsonIsRefused() {
        var refused = assertThrows(InvalidRequestException.class, () -> Json.of("{order:42}"));

        assertEquals(ErrorCode.INVALID_JSON, refused.code());
    }

    @Test
    void aCodecOfOneTypeIsAFewLines() {
        PayloadCodec numbers = new PayloadCodec() {
            @Override
            public Json encode(@Nullable Object value) {
                return Json.of(String.valueOf(value));
            }

            @Override
            public @Nullable Object decode(Json json, Type type) {
                return json.equals(Json.NULL) ? null : Integer.valueOf(json.text());
            }
        };

        Integer back = numbers.decode(numbers.encode(42), Integer.class);

        assertEquals(42, back);
        assertEquals(42, numbers.decode(Json.of("42"), int.class));
        assertNull(numbers.decode(numbers.encode(null), Integer.class));
        assertThrows(ClassCastException.class, () -> numbers.decode(Json.of("42"), String.class));
    }
}
