package io.runledger.coroutines

import io.runledger.model.failure.FailureClassifier

/** The failure classifier of each job type: its own, or else the general one, which by default changes nothing. */
internal class Classifiers(
    private val general: FailureClassifier = FailureClassifier { _, failure -> failure },
    private val byType: Map<String, FailureClassifier> = emptyMap(),
) {
    fun of(jobType: String): FailureClassifier = byType[jobType] ?: general

    fun withGeneral(classifier: FailureClassifier) = Classifiers(classifier, byType)

    fun with(jobType: String, classifier: FailureClassifier) = Classifiers(general, byType + (jobType to classifier))
}
