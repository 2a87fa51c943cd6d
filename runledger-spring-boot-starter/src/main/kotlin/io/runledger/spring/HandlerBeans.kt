package io.runledger.spring

import io.runledger.coroutines.Handlers
import io.runledger.model.job.JobType
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory
import org.springframework.beans.factory.support.AbstractBeanDefinition

/**
 * The handlers among the beans: those of `Handlers` beans, and the typed ones. Beans that are no default candidates belong to
 * workers that the application declares.
 */
internal class HandlerBeans(private val beans: ConfigurableListableBeanFactory, private val worker: String) {
    private val owners = LinkedHashMap<String, String>()
    private val handlers = Handlers.builder()

    fun collect(): Handlers {
        each<Handlers> { name, bean ->
            bean.jobTypes.forEach { claim(it, name) }
            handlers.include(bean)
        }
        each<TypedJobHandler<*>> { name, bean -> add(name, bean) }
        each<TypedAsyncJobHandler<*>> { name, bean -> add(name, bean) }
        each<TypedSuspendingJobHandler<*>> { name, bean -> add(name, bean) }
        return handlers.build()
    }

    private fun <P : Any> add(name: String, bean: TypedJobHandler<P>) = handlers.blocking(claim(bean.jobType(), name), bean)

    private fun <P : Any> add(name: String, bean: TypedAsyncJobHandler<P>) = handlers.async(claim(bean.jobType(), name), bean)

    private fun <P : Any> add(name: String, bean: TypedSuspendingJobHandler<P>) =
        handlers.suspending(claim(bean.jobType(), name), bean)

    private inline fun <reified T : Any> each(use: (String, T) -> Unit) {
        beans.getBeanNamesForType(T::class.java).filter(::isDefaultCandidate).forEach { name ->
            use(name, beans.getBean(name, T::class.java))
            // The worker ends before its handlers and what they use.
            beans.registerDependentBean(name, worker)
        }
    }

    private fun isDefaultCandidate(name: String): Boolean {
        if (!beans.containsBeanDefinition(name)) return true
        val definition = beans.getMergedBeanDefinition(name)
        return definition.isAutowireCandidate && (definition as? AbstractBeanDefinition)?.isDefaultCandidate != false
    }

    private fun <P : Any> claim(type: JobType<P>, name: String): JobType<P> {
        val other = owners.putIfAbsent(type.name(), name) ?: return type
        throw SetupException(
            "Two beans handle jobs of type '${type.name()}': '$other' and '$name'.",
            "Remove one of them, or give its jobs another type. If '$name' belongs to a worker that the application declares, " +
                "mark it with @Bean(defaultCandidate = false).",
        )
    }
}
