package io.runledger.model.render;

import io.runledger.model.workflow.ReleaseMode;
import io.runledger.model.workflow.WorkflowStepStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders a Mermaid flow chart. */
final class Mermaid {
    private Mermaid() {}

    static String text(List<Node> nodes, List<Edge> edges) {
        StringBuilder text = new StringBuilder("flowchart TD\n");
        Set<WorkflowStepStatus> used = EnumSet.noneOf(WorkflowStepStatus.class);
        for (int place = 0; place < nodes.size(); place++) {
            Node node = nodes.get(place);
            String label = Stream.concat(Stream.of(node.key()), node.details().stream())
                    .map(LabelEscaper::forMermaid)
                    .collect(Collectors.joining("<br/>"));
            text.append("    s").append(place);
            text.append(node.isGate() ? "{{\"" + label + "\"}}" : "[\"" + label + "\"]");
            if (node.status() != null) {
                used.add(node.status());
                text.append(":::").append(StatusStyle.of(node.status()).label());
            }
            text.append('\n');
        }
        for (Edge edge : edges) {
            text.append("    s").append(edge.from()).append(' ').append(arrow(edge));
            text.append(" s").append(edge.to()).append('\n');
        }
        for (WorkflowStepStatus status : used) {
            StatusStyle style = StatusStyle.of(status);
            text.append("    classDef ").append(style.label()).append(" fill:").append(style.fill());
            text.append(",stroke:").append(style.line()).append(",color:").append(style.line());
            text.append('\n');
        }
        return text.toString();
    }

    private static String arrow(Edge edge) {
        String arrow = edge.mode() == ReleaseMode.ON_FAILURE ? "-.->" : "-->";
        String label = edge.label(LabelEscaper::forMermaid);
        if (label == null) {
            return arrow;
        }
        // The quotes are needed because a name may be a keyword of Mermaid, such as "end".
        return arrow + (edge.inputName() == null ? "|" + label + "|" : "|\"" + label + "\"|");
    }
}
