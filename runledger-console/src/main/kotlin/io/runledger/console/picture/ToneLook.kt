package io.runledger.console.picture

import io.runledger.console.picture.look.Texture

/** The class and the texture of a tone. */
internal class ToneLook private constructor(val look: String, val texture: Texture) {
    companion object {
        fun of(tone: Tone): ToneLook = when (tone) {
            Tone.SUCCEEDED -> ToneLook("rl-succeeded", Texture.PLAIN)
            Tone.FAILED -> ToneLook("rl-failed", Texture.LINES)
            Tone.DEAD -> ToneLook("rl-dead", Texture.CROSSED)
            Tone.RUNNING -> ToneLook("rl-running", Texture.PLAIN)
            Tone.WAITING -> ToneLook("rl-enqueued", Texture.LINES)
            Tone.PLAIN -> ToneLook("rl-blocked", Texture.PLAIN)
        }
    }
}
