// When no file descriptor is left, the system closes new connections without notifying this process. So it tries to open
// one now and then, and logs once when it fails.
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Logger } from '../base/log.ts'

const TRY_EVERY_MS = 5_000

/** The returned function stops the check. */
export function watchFileDescriptors(log: Logger): () => void {
  let isShort = false
  const timer = setInterval(() => {
    try {
      closeSync(openSync(devNull, 'r'))
      isShort = false
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!isShort) log.error('cannot accept connections: no file descriptor is left', { code })
      isShort = true
    }
  }, TRY_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
