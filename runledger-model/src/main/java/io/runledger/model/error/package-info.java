/** What can go wrong: one sealed family of exceptions with stable codes. */
@NullMarked
package io.runledger.model.error;

import org.jspecify.annotations.NullMarked;
