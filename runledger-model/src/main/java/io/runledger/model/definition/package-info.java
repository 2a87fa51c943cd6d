/** Job definitions: declared defaults, overrides by operators, and metrics per type. */
@NullMarked
package io.runledger.model.definition;

import org.jspecify.annotations.NullMarked;
