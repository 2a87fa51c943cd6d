/** Failures of attempts: kinds, classifiers of exceptions, and outcomes. */
@NullMarked
package io.runledger.model.failure;

import org.jspecify.annotations.NullMarked;
