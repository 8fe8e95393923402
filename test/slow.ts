// SLOW_BROWSER=6: pages have a sixth of the CPU, and each of their requests waits up to 1.5 seconds, most of them for a moment.
// Journeys that do not wait for what they need fail like this; that a limit of time is exceeded says nothing.
import type { IncomingMessage, Server } from 'node:http'
import type { BrowserContext } from 'playwright-core'

const rate = Number(process.env['SLOW_BROWSER'] ?? 1)
const LONGEST_WAIT_MS = 1500

export function delayPages(server: Server): void {
  if (rate === 1) return
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: unknown[]) => {
    const [request] = given as [IncomingMessage]
    if (event !== 'request' || !request.headers['user-agent']?.startsWith('Mozilla'))
      return emit(event, ...given)
    setTimeout(() => emit(event, ...given), LONGEST_WAIT_MS * Math.random() ** 6)
    return true
  }
}

export function slowPages(context: BrowserContext): void {
  if (rate === 1) return
  context.on('page', async (page) => {
    const devtools = await context.newCDPSession(page).catch(() => undefined)
    // The page may be closed by then.
    await devtools?.send('Emulation.setCPUThrottlingRate', { rate }).catch(() => {})
  })
}
