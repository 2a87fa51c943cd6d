@file:JvmName("KotestLedger")

package io.runledger.test

import io.kotest.core.test.TestScope

/** A fresh ledger for a Kotest test. It is dropped at the end of the spec. */
@JvmSynthetic
public fun TestScope.freshLedger(schema: String = "runledger"): TestLedger = testCase.spec.autoClose(TestLedger.fresh(schema))
