package io.runledger.model.render;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders a tree for terminals. A step with several prerequisites is drawn below the last of them, so all its
 * prerequisites are above it; the other prerequisites only point to it. The code is not recursive, because a chain may
 * contain all steps of a run.
 */
final class Tree {
    private final List<Node> nodes;
    private final List<List<Edge>> outgoing = new ArrayList<>();
    private final int[] undrawn;
    private final Branches branches;
    private final boolean isAscii;
    private final StringBuilder text = new StringBuilder();

    private Tree(List<Node> nodes, List<Edge> edges, boolean isAscii) {
        this.nodes = nodes;
        this.undrawn = new int[nodes.size()];
        this.branches = isAscii ? Branches.ASCII : Branches.UNICODE;
        this.isAscii = isAscii;
        nodes.forEach(node -> outgoing.add(new ArrayList<>()));
        edges.forEach(edge -> {
            outgoing.get(edge.from()).add(edge);
            undrawn[edge.to()]++;
        });
    }

    static String text(String title, List<Node> nodes, List<Edge> edges, boolean isAscii) {
        return new Tree(nodes, edges, isAscii).draw(title);
    }

    private String draw(String title) {
        text.append(title).append('\n');
        Deque<Line> left = new ArrayDeque<>();
        List<Integer> roots = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            if (undrawn[place] == 0) {
                roots.add(place);
            }
        }
        for (int n = roots.size() - 1; n >= 0; n--) {
            left.push(new Line("", n == roots.size() - 1, roots.get(n), null));
        }
        while (!left.isEmpty()) {
            Line line = left.pop();
            boolean isLastMention = line.edge() == null || --undrawn[line.node()] == 0;
            write(line, isLastMention);
            if (isLastMention) {
                List<Edge> next = outgoing.get(line.node());
                String indent = line.indent() + (line.isLast() ? branches.blank() : branches.pass());
                for (int n = next.size() - 1; n >= 0; n--) {
                    left.push(new Line(indent, n == next.size() - 1, next.get(n).to(), next.get(n)));
                }
            }
        }
        return text.toString();
    }

    private void write(Line line, boolean isLastMention) {
        Node node = nodes.get(line.node());
        text.append(line.indent()).append(line.isLast() ? branches.corner() : branches.fork());
        String label = line.edge() == null ? null : line.edge().label(this::name);
        if (label != null) {
            text.append('(').append(label).append(") ");
        }
        if (!isLastMention) {
            text.append(branches.see()).append(' ').append(name(node.key())).append(" (below)\n");
            return;
        }
        if (node.status() != null) {
            StatusStyle style = StatusStyle.of(node.status());
            text.append(isAscii ? style.ascii() : style.symbol()).append(' ');
        }
        text.append(name(node.key()));
        if (!node.details().isEmpty()) {
            List<String> details = node.details().stream().map(this::name).toList();
            text.append(" [").append(String.join(", ", details)).append(']');
        }
        text.append('\n');
    }

    private String name(String name) {
        return LabelEscaper.forTree(name, isAscii);
    }

    /** A step with the edge that leads to it; a root has no edge. */
    private record Line(
            String indent,
            boolean isLast,
            int node,
            @Nullable Edge edge) {}

    private record Branches(String fork, String corner, String pass, String blank, String see) {
        static final Branches UNICODE = new Branches("├─ ", "└─ ", "│  ", "   ", "↓");
        static final Branches ASCII = new Branches("|- ", "`- ", "|  ", "   ", "->");
    }
}
