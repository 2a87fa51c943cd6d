package io.runledger.model.render;

import io.runledger.model.workflow.ReleaseMode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders a graph in the DOT language of Graphviz. */
final class Dot {
    private Dot() {}

    static String text(String title, List<Node> nodes, List<Edge> edges) {
        StringBuilder text = new StringBuilder("digraph {\n");
        text.append("    label=\"").append(LabelEscaper.forDot(title)).append("\"; labelloc=t;\n");
        text.append("    node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\"];\n");
        for (int place = 0; place < nodes.size(); place++) {
            Node node = nodes.get(place);
            String label = Stream.concat(Stream.of(node.key()), node.details().stream())
                    .map(LabelEscaper::forDot)
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
                StatusStyle style = StatusStyle.of(node.status());
                text.append(", fillcolor=\"").append(style.fill());
                text.append("\", color=\"").append(style.line());
                text.append("\", fontcolor=\"").append(style.line()).append('"');
            }
            text.append("];\n");
        }
        for (Edge edge : edges) {
            text.append("    s").append(edge.from()).append(" -> s").append(edge.to());
            String label = edge.label(LabelEscaper::forDot);
            if (label != null) {
                text.append(" [label=\"").append(label).append('"');
                text.append(edge.mode() == ReleaseMode.ON_FAILURE ? ", style=dashed]" : "]");
            }
            text.append(";\n");
        }
        return text.append("}\n").toString();
    }
}
