/** Names and ids: what text may name what, and how ids are made. */
@NullMarked
package io.runledger.model.id;

import org.jspecify.annotations.NullMarked;
