package io.runledger.model.state;

import java.util.List;

/**
 * What it took to make the ledger's job types agree with a catalogue. Each list is in alphabetical order and unmodifiable; a declared
 * type is in exactly one of the first four.
 *
 * @param inserted declared types the ledger did not know
 * @param updated declared types whose row was changed
 * @param unchanged declared types whose row says so already
 * @param outdated declared types that are stored with a newer version: nothing of them was written
 * @param redeclared those of the updated ones that were stored with the same version and other values: whichever build starts last counts,
 *     so raise the version
 * @param unused types the ledger knows and the catalogue does not; nothing is ever deleted
 * @param disabled types, declared or unused, that were enabled before and no longer are
 */
public record DefinitionSync(
        List<String> inserted,
        List<String> updated,
        List<String> unchanged,
        List<String> outdated,
        List<String> redeclared,
        List<String> unused,
        List<String> disabled) {
    /**
     * Copies the lists, in order.
     *
     * @param inserted see the record
     * @param updated see the record
     * @param unchanged see the record
     * @param outdated see the record
     * @param redeclared see the record
     * @param unused see the record
     * @param disabled see the record
     */
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
