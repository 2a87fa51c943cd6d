package io.runledger.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Starts the context of a {@link RunledgerTest}. */
final class RunledgerTestContextBootstrapper extends TestSliceTestContextBootstrapper<RunledgerTest> {}
