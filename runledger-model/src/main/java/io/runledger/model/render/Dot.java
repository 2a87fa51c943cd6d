package io.runledger.model.render;

import io.runledger.model.state.ReleaseMode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directed graph in the language of Graphviz. */
final class Dot {
    private Dot() {}

    static String text(String title, List<Node> nodes, List<Edge> edges) {
        StringBuilder text = new StringBuilder("digraph {\n");
        text.append("    label=\"").append(Shown.inDot(title)).append("\"; labelloc=t;\n");
        text.append("    node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\"];\n");
        for (int place = 0; place < nodes.size(); place++) {
            Node node = nodes.get(place);
            String label = Stream.concat(Stream.of(node.key()), node.details().stream())
                    .map(Shown::inDot)
                    .collect(Collectors.joining("\\n"));
            text.append("    s")
                    .append(place)
                    .append(" [label=\"")
                    .append(label)
                    .append('"');
            if (node.isGate()) {
                text.append(", shape=hexagon, style=filled");
            }
            if (node.status() != null) {
                Look look = Look.of(node.status());
                text.append(", fillcolor=\"").append(look.fill());
                text.append("\", color=\"").append(look.line());
                text.append("\", fontcolor=\"").append(look.line()).append('"');
            }
            text.append("];\n");
        }
        for (Edge edge : edges) {
            text.append("    s").append(edge.from()).append(" -> s").append(edge.to());
            String label = edge.label(Shown::inDot);
            if (label != null) {
                text.append(" [label=\"").append(label).append('"');
                text.append(edge.mode() == ReleaseMode.ON_FAILURE ? ", style=dashed]" : "]");
            }
            text.append(";\n");
        }
        return text.append("}\n").toString();
    }
}
