package io.runledger.model.definition;

import java.util.List;

/**
 * The result of synchronizing the ledger's job types with the declared ones. Each list is in alphabetical order and
 * unmodifiable. A declared type is in exactly one of the first four lists.
 *
 * @param inserted declared types that were not stored before
 * @param updated declared types whose stored values were changed
 * @param unchanged declared types that were stored with the same values
 * @param outdated declared types that are stored with a newer version; they were not written
 * @param redeclared updated types that were stored with the same version and other values. The build that starts last
 *     wins; raise the version to avoid this
 * @param unused stored types that are not declared; they are not deleted
 * @param disabled declared or unused types that were disabled by this call
 */
public record DefinitionSync(
        List<String> inserted,
        List<String> updated,
        List<String> unchanged,
        List<String> outdated,
        List<String> redeclared,
        List<String> unused,
        List<String> disabled) {
    public DefinitionSync {
        inserted = inserted.stream().sorted().toList();
        updated = updated.stream().sorted().toList();
        unchanged = unchanged.stream().sorted().toList();
        outdated = outdated.stream().sorted().toList();
        redeclared = redeclared.stream().sorted().toList();
        unused = unused.stream().sorted().toList();
        disabled = disabled.stream().sorted().toList();
    }
}
