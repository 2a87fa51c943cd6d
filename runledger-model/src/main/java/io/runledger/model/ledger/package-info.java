/** Shared types: scopes, pages, stored texts of enums, runtime configuration, health and verification. */
@NullMarked
package io.runledger.model.ledger;

import org.jspecify.annotations.NullMarked;
