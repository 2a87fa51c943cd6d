/** What is stored: statuses with their wire texts, and records for everything read back. */
@NullMarked
package io.runledger.model.state;

import org.jspecify.annotations.NullMarked;
