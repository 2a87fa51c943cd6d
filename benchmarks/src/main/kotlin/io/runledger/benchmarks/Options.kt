package io.runledger.benchmarks

/** What the command line asks for. */
data class Options(
    /** Names of scenarios; empty for all that the sizes include. */
    val scenarios: Set<String> = emptySet(),
    val sizes: Sizes = Sizes.QUICK,
    /** Names of contenders; empty for all that a scenario measures. */
    val only: Set<String> = emptySet(),
    val isProfiled: Boolean = false,
    val isListed: Boolean = false,
) {
    companion object {
        val USAGE = """
            benchmarks/run [scenario …] [--quick | --full] [--rounds=5] [--jobs=100000] [--only=runledger,db-scheduler] [--profile] [--list]

              scenario …  measures these scenarios alone; --list prints their names
              --quick     short measurements, the default; without names, the main scenarios
              --full      long measurements; without names, every scenario
              --rounds    how often each rate is measured: the median counts, the least and the greatest are its spread
              --jobs      how many jobs a drain has
              --only      measures these contenders alone
              --profile   prints the statements that took the server's time in each drain and workflow
        """.trimIndent()

        /** Reads [arguments]. Throws [IllegalArgumentException] for what is not an option or the name of one of [scenarios]. */
        fun of(arguments: List<String>, scenarios: Collection<String>, contenders: Collection<String>): Options {
            val (flags, names) = arguments.partition { it.startsWith("--") }
            names.forEach {
                require(it in scenarios) { "There is no scenario '$it'. The scenarios are ${scenarios.joinToString()}." }
            }
            val start = Options(names.toSet(), if ("--full" in flags) Sizes.FULL else Sizes.QUICK)
            return flags.fold(start) { options, flag ->
                val value = flag.substringAfter('=', "")
                when (flag.substringBefore('=')) {
                    "--quick", "--full" -> options

                    "--rounds" -> options.copy(
                        sizes = positive(flag, value).let {
                            options.sizes.copy(rounds = it, freshRounds = it)
                        },
                    )

                    "--jobs" -> options.copy(sizes = options.sizes.copy(jobs = positive(flag, value)))

                    "--only" -> options.copy(only = value.split(',').toSet().onEach { requireContender(it, contenders) })

                    "--profile" -> options.copy(isProfiled = true)

                    "--list" -> options.copy(isListed = true)

                    else -> throw IllegalArgumentException("There is no option '$flag'.")
                }
            }
        }

        private fun positive(flag: String, value: String): Int =
            requireNotNull(value.toIntOrNull()?.takeIf { it > 0 }) { "'$flag' needs a number above 0." }

        private fun requireContender(name: String, contenders: Collection<String>) =
            require(name in contenders) { "There is no contender '$name'. The contenders are ${contenders.joinToString()}." }
    }
}
