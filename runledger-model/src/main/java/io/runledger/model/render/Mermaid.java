package io.runledger.model.render;

import io.runledger.model.state.ReleaseMode;
import io.runledger.model.state.WorkflowStepStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A flow chart in Mermaid's language. */
final class Mermaid {
    private Mermaid() {}

    static String text(List<Node> nodes, List<Edge> edges) {
        StringBuilder text = new StringBuilder("flowchart TD\n");
        Set<WorkflowStepStatus> used = EnumSet.noneOf(WorkflowStepStatus.class);
        for (int place = 0; place < nodes.size(); place++) {
            Node node = nodes.get(place);
            String label = Stream.concat(Stream.of(node.key()), node.details().stream())
                    .map(Shown::inMermaid)
                    .collect(Collectors.joining("<br/>"));
            text.append("    s").append(place);
            text.append(node.isGate() ? "{{\"" + label + "\"}}" : "[\"" + label + "\"]");
            if (node.status() != null) {
                used.add(node.status());
                text.append(":::").append(Look.of(node.status()).word());
            }
            text.append('\n');
        }
        for (Edge edge : edges) {
            text.append("    s").append(edge.from()).append(' ').append(arrow(edge));
            text.append(" s").append(edge.to()).append('\n');
        }
        for (WorkflowStepStatus status : used) {
            Look look = Look.of(status);
            text.append("    classDef ").append(look.word()).append(" fill:").append(look.fill());
            text.append(",stroke:").append(look.line()).append(",color:").append(look.line());
            text.append('\n');
        }
        return text.toString();
    }

    private static String arrow(Edge edge) {
        String arrow = edge.mode() == ReleaseMode.ON_FAILURE ? "-.->" : "-->";
        String label = edge.label(Shown::inMermaid);
        if (label == null) {
            return arrow;
        }
        // A name may be a word of Mermaid's own, such as "end": quotes make it a text.
        return arrow + (edge.inputName() == null ? "|" + label + "|" : "|\"" + label + "\"|");
    }
}
