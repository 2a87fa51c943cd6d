/** What happens next: retry delays and settlement decisions as pure functions. */
@NullMarked
package io.runledger.model.policy;

import org.jspecify.annotations.NullMarked;
