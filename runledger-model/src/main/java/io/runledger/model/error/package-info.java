/** The exceptions of the library and their stable error codes. */
@NullMarked
package io.runledger.model.error;

import org.jspecify.annotations.NullMarked;
