/** The camera of this device: opened for one screen, closed with it. */

type CameraState = 'starting' | 'live' | 'refused' | 'none' | 'insecure' | 'busy'

/** Not every camera has a light; TypeScript does not know that some have. */
type Lit = MediaTrackCapabilities & { torch?: boolean }
type Light = MediaTrackConstraintSet & { torch?: boolean }

const problems: Record<string, CameraState> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

export class Camera {
  state: CameraState = $state('starting')
  stream: MediaStream | null = $state.raw(null)
  hasTorch = $state(false)
  isLit = $state(false)
  #ended = false
  #permission: PermissionStatus | undefined

  async open(): Promise<void> {
    // Over plain http there is no camera at all.
    if (!navigator.mediaDevices?.getUserMedia) {
      this.state = 'insecure'
      return
    }
    this.state = 'starting'
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        // Small print on paper needs more than the usual 640 pixels.
        video: { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1080 } },
      })
      if (this.#ended) return stop(stream)
      const [track] = stream.getVideoTracks()
      this.hasTorch = (track?.getCapabilities?.() as Lit | undefined)?.torch === true
      track?.addEventListener('ended', () => {
        if (!this.#ended) this.state = 'busy'
      })
      this.stream = stream
      this.state = 'live'
    } catch (error) {
      this.state = problems[error instanceof DOMException ? error.name : ''] ?? 'none'
      if (this.state === 'refused') await this.#watchPermission()
    }
  }

  /** Starts by itself once the person has allowed it. Not every browser reports that. */
  async #watchPermission(): Promise<void> {
    try {
      this.#permission ??= await navigator.permissions.query({ name: 'camera' as PermissionName })
      this.#permission.onchange = () => {
        if (this.#permission?.state === 'granted' && !this.stream && !this.#ended) void this.open()
      }
    } catch {}
  }

  async toggleTorch(): Promise<void> {
    const [track] = this.stream?.getVideoTracks() ?? []
    const torch = !this.isLit
    try {
      await track?.applyConstraints({ advanced: [{ torch } as Light] })
      this.isLit = torch
    } catch {
      this.hasTorch = false
    }
  }

  end(): void {
    this.#ended = true
    if (this.#permission) this.#permission.onchange = null
    if (this.stream) stop(this.stream)
    this.stream = null
  }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** One short tone and a touch: the person looks at the pass, not at the screen. */
export function signal(): void {
  navigator.vibrate?.(10)
  try {
    const audio = new AudioContext()
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.value = 880
    volume.gain.setValueAtTime(0.12, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12)
    tone.connect(volume).connect(audio.destination)
    tone.onended = () => void audio.close()
    tone.start()
    tone.stop(audio.currentTime + 0.12)
  } catch {
    // Without sound, the pill and the corners still show it.
  }
}
