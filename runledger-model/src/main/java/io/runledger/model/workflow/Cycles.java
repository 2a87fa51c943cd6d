package io.runledger.model.workflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds dependency cycles: one shortest cycle per strongly connected component. Steps before and after the cycles are
 * removed first, so that only cycles and the steps between them are searched. The code is not recursive, because graphs
 * may be deep.
 */
final class Cycles {
    private final List<StepRequest> steps;
    private final int[][] prerequisites;
    private final int[][] dependents;
    private final boolean[] settled;

    private Cycles(List<StepRequest> steps) {
        this.steps = steps;
        this.settled = new boolean[steps.size()];
        this.prerequisites = prerequisites(steps);
        this.dependents = reversed(prerequisites);
    }

    /** Each cycle is a list of keys: each step depends on the next, and the last on the first. */
    static List<List<String>> in(List<StepRequest> steps) {
        Cycles search = new Cycles(steps);
        search.peel(search.prerequisites, search.dependents);
        search.peel(search.dependents, search.prerequisites);
        List<List<String>> found = new ArrayList<>();
        for (int start = 0; start < steps.size(); start++) {
            if (!search.settled[start]) {
                List<Integer> circle = search.shortestThrough(start);
                if (!circle.isEmpty()) {
                    found.add(
                            circle.stream().map(place -> steps.get(place).key()).toList());
                }
                search.settleGroupOf(start);
            }
        }
        return found;
    }

    /** Repeatedly settles steps that have no unsettled predecessor. */
    private void peel(int[][] before, int[][] after) {
        int[] waiting = new int[steps.size()];
        Deque<Integer> ready = new ArrayDeque<>();
        for (int index = 0; index < steps.size(); index++) {
            waiting[index] = (int) Arrays.stream(before[index])
                    .filter(place -> !settled[place])
                    .count();
            if (waiting[index] == 0 && !settled[index]) {
                ready.add(index);
            }
        }
        while (!ready.isEmpty()) {
            int next = ready.remove();
            settled[next] = true;
            for (int follower : after[next]) {
                if (--waiting[follower] == 0 && !settled[follower]) {
                    ready.add(follower);
                }
            }
        }
    }

    /**
     * Searches breadth-first from the start along unsettled prerequisites until it reaches the start again; empty if it
     * does not.
     */
    private List<Integer> shortestThrough(int start) {
        int[] cameFrom = new int[steps.size()];
        Arrays.fill(cameFrom, -1);
        Deque<Integer> frontier = new ArrayDeque<>(List.of(start));
        while (!frontier.isEmpty()) {
            int at = frontier.remove();
            for (int next : prerequisites[at]) {
                if (next == start) {
                    return path(cameFrom, start, at);
                }
                if (!settled[next] && cameFrom[next] < 0) {
                    cameFrom[next] = at;
                    frontier.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<Integer> path(int[] cameFrom, int start, int last) {
        Deque<Integer> path = new ArrayDeque<>();
        for (int at = last; at != start; at = cameFrom[at]) {
            path.addFirst(at);
        }
        path.addFirst(start);
        return List.copyOf(path);
    }

    /** Settles the strongly connected component of the start, so that it is reported once. */
    private void settleGroupOf(int start) {
        boolean[] ahead = reach(start, prerequisites);
        boolean[] behind = reach(start, dependents);
        for (int index = 0; index < steps.size(); index++) {
            settled[index] |= ahead[index] && behind[index];
        }
    }

    private boolean[] reach(int start, int[][] edges) {
        boolean[] reached = new boolean[steps.size()];
        reached[start] = true;
        Deque<Integer> frontier = new ArrayDeque<>(List.of(start));
        while (!frontier.isEmpty()) {
            for (int next : edges[frontier.remove()]) {
                if (!settled[next] && !reached[next]) {
                    reached[next] = true;
                    frontier.add(next);
                }
            }
        }
        return reached;
    }

    /**
     * The indexes of each step's prerequisites, without unknown keys and self-dependencies, which are reported
     * separately.
     */
    private static int[][] prerequisites(List<StepRequest> steps) {
        Map<String, Integer> places = new HashMap<>();
        for (int index = 0; index < steps.size(); index++) {
            places.putIfAbsent(steps.get(index).key(), index);
        }
        return IntStream.range(0, steps.size())
                .mapToObj(self -> steps.get(self).dependencies().stream()
                        .map(dependency -> places.get(dependency.step()))
                        .filter(place -> place != null && place != self)
                        .mapToInt(Integer::intValue)
                        .distinct()
                        .toArray())
                .toArray(int[][]::new);
    }

    private static int[][] reversed(int[][] edges) {
        List<IntStream.Builder> followers = new ArrayList<>();
        for (int index = 0; index < edges.length; index++) {
            followers.add(IntStream.builder());
        }
        for (int index = 0; index < edges.length; index++) {
            for (int target : edges[index]) {
                followers.get(target).add(index);
            }
        }
        return followers.stream().map(list -> list.build().toArray()).toArray(int[][]::new);
    }
}
