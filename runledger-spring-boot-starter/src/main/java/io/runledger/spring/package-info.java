/** Runledger in a Spring Boot application: the client, the worker and the handlers as beans. */
@NullMarked
package io.runledger.spring;

import org.jspecify.annotations.NullMarked;
