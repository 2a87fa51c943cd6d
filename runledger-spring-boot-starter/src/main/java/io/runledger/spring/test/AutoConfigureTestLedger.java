package io.runledger.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Gives a test the beans of the test kit: a primary {@code DataSource} on a fresh database with a migrated ledger, its
 * {@code TestLedger}, and a {@link HandWorker}. The worker of the application does not start. Add it to
 * {@code @SpringBootTest} to test the whole application.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestLedger {
    /** The schema of the ledger. */
    @PropertyMapping("runledger.schema")
    String schema() default "runledger";

    /** Whether the worker of the application starts. */
    @PropertyMapping("runledger.worker.enabled")
    boolean worker() default false;
}
