package io.runledger.coroutines.run

import io.runledger.model.run.FailureClassifier

/** Who says of what sort an exception is: one for a type, else one for all, else nobody. */
internal class Classifiers(
    private val general: FailureClassifier = FailureClassifier { _, failure -> failure },
    private val byType: Map<String, FailureClassifier> = emptyMap(),
) {
    fun of(jobType: String): FailureClassifier = byType[jobType] ?: general

    fun withGeneral(classifier: FailureClassifier) = Classifiers(classifier, byType)

    fun with(jobType: String, classifier: FailureClassifier) = Classifiers(general, byType + (jobType to classifier))
}
