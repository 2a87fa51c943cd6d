package io.runledger.exposed.sql

import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.LeaseLostException
import io.runledger.model.error.NotFoundException
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import io.runledger.model.error.UnavailableException

/** The exception of this code's category. */
internal fun ErrorCode.exception(
    message: String = message(),
    internalMessage: String? = null,
    cause: Throwable? = null,
): RunledgerException = when (category()) {
    ErrorCategory.VALIDATION -> InvalidRequestException(this, message, internalMessage, cause)
    ErrorCategory.CONFLICT -> ConflictException(this, message, internalMessage, cause)
    ErrorCategory.NOT_FOUND -> NotFoundException(this, message, internalMessage, cause)
    ErrorCategory.LEASE_LOST -> LeaseLostException(this, message, internalMessage, cause)
    ErrorCategory.SCHEMA -> SchemaException(this, message, internalMessage, cause)
    ErrorCategory.UNAVAILABLE -> UnavailableException(this, message, internalMessage, cause)
    ErrorCategory.INTERNAL -> InternalException(this, message, internalMessage, cause)
}
