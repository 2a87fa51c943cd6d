/** What running code says: handlers, their context and the outcomes they return. */
@NullMarked
package io.runledger.model.run;

import org.jspecify.annotations.NullMarked;
