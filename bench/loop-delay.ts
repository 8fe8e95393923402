// Loaded into a measured server with --import: reports the longest blocking of the event loop to its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  process.on('message', (message) => {
    if (message === 'watch') {
      delay.reset()
      delay.enable()
    }
    if (message === 'tell') {
      delay.disable()
      process.send!({ longestMs: delay.max / 1e6 })
    }
  })
  // The channel alone must not keep the server running.
  process.channel?.unref()
}
