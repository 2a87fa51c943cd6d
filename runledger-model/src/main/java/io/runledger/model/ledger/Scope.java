package io.runledger.model.ledger;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a call may read and change. Rows outside the scope are treated as if they did not exist. Null is not a
 * scope: access to all rows must be requested with {@link #everything()}.
 */
public final class Scope {
    public enum Kind {
        /** Global rows, which belong to no organization. */
        GLOBAL,
        /** Rows of one organization. */
        ORGANIZATION,
        /** All rows; for administrators. */
        EVERYTHING
    }

    private static final Scope GLOBAL = new Scope(Kind.GLOBAL, null);
    private static final Scope EVERYTHING = new Scope(Kind.EVERYTHING, null);

    private final Kind kind;
    private final @Nullable UUID organizationId;

    private Scope(Kind kind, @Nullable UUID organizationId) {
        this.kind = kind;
        this.organizationId = organizationId;
    }

    /** Only global rows, which belong to no organization. */
    public static Scope global() {
        return GLOBAL;
    }

    /** Only rows of one organization. */
    public static Scope organization(UUID id) {
        return new Scope(Kind.ORGANIZATION, Objects.requireNonNull(id, "organization id"));
    }

    /**
     * All rows: global rows and rows of all organizations. For administrators; never derive this scope from user input.
     */
    public static Scope everything() {
        return EVERYTHING;
    }

    public Kind kind() {
        return kind;
    }

    /** The organization of an organization scope; null for the other scopes. */
    public @Nullable UUID organizationId() {
        return organizationId;
    }

    /**
     * Whether the scope includes rows of an organization.
     *
     * @param rowOrganizationId null for a global row
     */
    public boolean covers(@Nullable UUID rowOrganizationId) {
        return switch (kind) {
            case GLOBAL -> rowOrganizationId == null;
            case ORGANIZATION -> rowOrganizationId != null && rowOrganizationId.equals(organizationId);
            case EVERYTHING -> true;
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Scope that && kind == that.kind && Objects.equals(organizationId, that.organizationId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, organizationId);
    }

    @Override
    public String toString() {
        return kind == Kind.ORGANIZATION
                ? "organization " + organizationId
                : kind == Kind.GLOBAL ? "global" : "everything";
    }
}
