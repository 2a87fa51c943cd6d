package io.runledger.spring.test;

import io.runledger.spring.TypedAsyncJobHandler;
import io.runledger.spring.TypedJobHandler;
import io.runledger.spring.TypedSuspendingJobHandler;
import java.util.Set;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Lets the component scan of a {@link RunledgerTest} find typed handlers, and what the annotation includes. */
final class RunledgerTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<RunledgerTest> {
    RunledgerTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }

    @Override
    protected Set<Class<?>> getKnownIncludes() {
        return Set.of(TypedJobHandler.class, TypedAsyncJobHandler.class, TypedSuspendingJobHandler.class);
    }
}
