/** Tests of an application with a fresh ledger and a worker that the test runs by hand. */
@NullMarked
package io.runledger.spring.test;

import org.jspecify.annotations.NullMarked;
