/** Keeps the screen on while the page is visible, where the browser can. Returns how to end that. */
export function keepAwake(tell: (isAwake: boolean) => void): () => void {
  let lock: WakeLockSentinel | undefined
  let hasEnded = false
  const ask = async () => {
    if (hasEnded || document.visibilityState !== 'visible' || !navigator.wakeLock) return
    // Refused on a low battery.
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    if (hasEnded) void lock?.release()
    else tell(lock !== undefined)
  }
  const onShown = () => void ask()
  void ask()
  document.addEventListener('visibilitychange', onShown)
  return () => {
    hasEnded = true
    document.removeEventListener('visibilitychange', onShown)
    void lock?.release()
  }
}
