package io.runledger.exposed.worker

/**
 * Marks what only workers need. The functions are not part of the API for applications and may change in any release. A library
 * that implements a worker of its own opts in.
 */
@RequiresOptIn("Only workers need this. It may change in any release.", RequiresOptIn.Level.ERROR)
@Retention(AnnotationRetention.BINARY)
@Target(AnnotationTarget.CLASS)
public annotation class WorkerApi
