package io.runledger.samples;

import static io.runledger.samples.BackordersInJava.SHIP_BACKORDER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.runledger.model.job.JobStatus;
import io.runledger.model.json.Json;
import io.runledger.model.ledger.Scope;
import io.runledger.test.LedgerExtension;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
class BackordersInJavaTest {
    @Test
    void anOrderWaitsForItsGoodsAndShips(TestLedger ledger) {
        var stock = new StockForTests(false);
        var handlers = new BackordersInJava(stock).handlers();
        ledger.client().definitions().sync(handlers.jobTypes());
        var jobs = ledger.client().jobs();
        var job = jobs.enqueue(SHIP_BACKORDER, new Backorder("lamp", Instant.EPOCH))
                .id();

        ledger.work(handlers);
        assertEquals(JobStatus.PENDING, jobs.get(Scope.global(), job).status());
        stock.setIn(true);
        ledger.advance(Duration.ofMinutes(10));
        ledger.work(handlers);

        assertEquals(Json.of("\"shipped lamp\""), jobs.get(Scope.global(), job).output());
    }
}
