package io.runledger.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.ObservedJob;
import io.runledger.coroutines.WorkerObserver;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.ledger.Scope;
import io.runledger.samples.CrmPushInJava.CustomerChange;
import io.runledger.samples.CrmPushInJava.Incident;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class CrmPushInJavaTest {
    private final UUID tenant = UUID.randomUUID();

    @Test
    void twoWorkersPushInTheOrderOfEachCustomerWithFourCallsAtOnce(TestLedger ledger) throws Exception {
        ledger.client().definitions().declare(CrmPushInJava.PUSH);
        var pushed = new ConcurrentHashMap<String, Queue<Integer>>();
        var calls = new AtomicInteger();
        var most = new AtomicInteger();
        var four = new CountDownLatch(4);
        var ended = new CountDownLatch(40);
        var handlers = CrmPushInJava.handlers(change -> {
            most.accumulateAndGet(calls.incrementAndGet(), Math::max);
            // The first calls wait for each other: the permits are used, not only kept.
            four.countDown();
            assertTrue(four.await(1, TimeUnit.MINUTES));
            pushed.computeIfAbsent(change.customer(), customer -> new ConcurrentLinkedQueue<>())
                    .add(change.number());
            calls.decrementAndGet();
        });

        var workers = List.of(worker(ledger, handlers, ended), worker(ledger, handlers, ended));
        try {
            CrmPushInJava.push(
                    ledger.client(),
                    tenant,
                    IntStream.range(0, 40)
                            .mapToObj(n -> new CustomerChange("customer " + n % 5, n / 5))
                            .toList());
            assertTrue(ended.await(1, TimeUnit.MINUTES));
        } finally {
            workers.forEach(RunningWorker::close);
        }

        assertEquals(4, most.get());
        assertEquals(5, pushed.size());
        var inOrder = IntStream.range(0, 8).boxed().toList();
        pushed.values().forEach(numbers -> assertEquals(inOrder, List.copyOf(numbers)));
    }

    @Test
    void anIncidentPausesTheQueueAndThenAllowsOneCallAtATime(TestLedger ledger) {
        ledger.client().definitions().declare(CrmPushInJava.PUSH);
        var incident = new Incident(ledger.client(), "dana");
        var calls = new AtomicInteger();
        var handlers = CrmPushInJava.handlers(change -> calls.incrementAndGet());
        incident.begins();
        CrmPushInJava.push(
                ledger.client(), tenant, List.of(new CustomerChange("ada", 1), new CustomerChange("bob", 1)));

        ledger.work(handlers);
        assertEquals(0, calls.get());
        incident.ends();
        ledger.work(handlers);

        assertEquals(2, calls.get());
        assertEquals(1, ledger.client().limits().get("crm-api").inForce().permits());
        incident.isForgotten();
        assertEquals(4, ledger.client().limits().get("crm-api").inForce().permits());
    }

    @Test
    void aChangeThatAPersonWaitsForIsPushedWhileTheOthersArePaused(TestLedger ledger) throws Exception {
        ledger.client().definitions().declare(CrmPushInJava.PUSH);
        new Incident(ledger.client(), "dana").begins();
        CrmPushInJava.push(ledger.client(), tenant, List.of(new CustomerChange("ada", 1)));
        var pushed = new CompletableFuture<CustomerChange>();

        var urgent = CrmPushInJava.pushAtOnce(ledger.client(), tenant, new CustomerChange("ada", 2));
        var worker = CrmPushInJava.urgentWorker(ledger.client(), pushed::complete);
        try {
            assertEquals(new CustomerChange("ada", 2), pushed.get(1, TimeUnit.MINUTES));
        } finally {
            worker.close();
        }

        var flow = ledger.client().jobs().get(Scope.everything(), urgent).flow();
        assertEquals("urgent", flow.queue());
        assertNull(flow.orderKey());
        assertEquals(1, ledger.client().queues().get("crm").waiting());
    }

    private static RunningWorker worker(TestLedger ledger, Handlers handlers, CountDownLatch ended) {
        var observer = new WorkerObserver() {
            @Override
            public void succeeded(ObservedJob job, Duration elapsed) {
                ended.countDown();
            }
        };
        return RunledgerWorker.builder(RunledgerClient.create(ledger.dataSource()))
                .handlers(handlers)
                .config(config -> config.maxConcurrency(8))
                .observe(observer)
                .start();
    }
}
