package io.runledger.model.state;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose rows a call may see and change. What lies outside behaves as if it did not exist. There is no "null means everybody": the
 * three scopes are three values.
 */
public final class Scope {
    /** Which of the three scopes it is. */
    public enum Kind {
        /** Rows that belong to no organization. */
        GLOBAL,
        /** Rows of one organization. */
        ORGANIZATION,
        /** Every row; for administrators. */
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

    /**
     * Rows that belong to no organization, and only those.
     *
     * @return the global scope
     */
    public static Scope global() {
        return GLOBAL;
    }

    /**
     * Rows of one organization, and only those.
     *
     * @param id the organization
     * @return its scope
     */
    public static Scope organization(UUID id) {
        return new Scope(Kind.ORGANIZATION, Objects.requireNonNull(id, "organization id"));
    }

    /**
     * Every row of every organization and the global ones. Administrative: never build it from what a tenant sent.
     *
     * @return the scope without limits
     */
    public static Scope everything() {
        return EVERYTHING;
    }

    /**
     * Which of the three it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The organization of an organization scope.
     *
     * @return its id, or null for the other two
     */
    public @Nullable UUID organizationId() {
        return organizationId;
    }

    /**
     * Whether a row of this organization lies inside.
     *
     * @param rowOrganizationId the row's organization, or null for a global row
     * @return true when the scope may see it
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
