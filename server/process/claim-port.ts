// Listens on the port before the data is opened: a second server started by mistake fails here, and a migration never runs
// while another server uses the data. Until the application is ready, every request gets 503.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import type { Config } from '../base/config.ts'
import { answerWhileStarting, type Starting } from './starting.ts'

/**
 * On Linux every process has its own accept queue on the port, and the kernel distributes connections evenly. On other
 * systems the primary process passes connections on, and one passed to a process that crashes would never be closed.
 */
export const sharesPort = process.platform === 'linux'

export interface PortClaim {
  /** The actual port, also if the setting was 0. */
  port: number
  /** The state that responses report until then. */
  starting: Starting
  /** Frees it for the application, which must listen immediately. */
  release(): Promise<void>
}

/** The port is not available; the message says why and what to do. */
class PortError extends Error {}

/**
 * `isShared`: workers will listen on the port before it is released. It is first opened exclusively, because otherwise
 * another Contrail that shares its port would share it with this one.
 */
export async function claimPort(
  { port, host, origin }: Pick<Config, 'port' | 'host' | 'origin'>,
  isShared = false,
): Promise<PortClaim> {
  if (isShared && port !== 0) await lockSharedPort(port, host)
  const starting: Starting = { origin }
  const server = createServer((request, response) => answerWhileStarting(starting, request, response))
  const listen = async (at: number, reusePort: boolean) => {
    server.listen({ port: at, host, reusePort })
    try {
      await once(server, 'listening')
    } catch (error) {
      throw new PortError(explainListening(error as NodeJS.ErrnoException, at, host))
    }
    return (server.address() as AddressInfo).port
  }
  const release = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const found = await listen(port, false)
  if (isShared) {
    await release()
    await listen(found, true)
  }
  return { port: found, starting, release }
}

/** An abstract Linux socket, which has no file; the kernel frees it when the process ends. */
export const sharedPortLock = (port: number, host: string): string => `\0contrail-port-${host}-${port}`

/**
 * Between opening the port exclusively and opening it shared, the port is free for a moment, in which a second Contrail
 * could do the same and then share it. The lock is held until the process ends.
 */
async function lockSharedPort(port: number, host: string): Promise<void> {
  const lock = createSocketServer()
  lock.listen(sharedPortLock(port, host))
  try {
    await once(lock, 'listening')
  } catch (error) {
    throw new PortError(explainListening(error as NodeJS.ErrnoException, port, host))
  }
  lock.unref()
}

export function explainListening(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} is in use, perhaps by another Contrail; stop that program or set PORT to another number`
    case 'EACCES':
      return `port ${port} needs more rights than this user has; set PORT to 1024 or above and let a reverse proxy listen on ${port}`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine; use 127.0.0.1 for this machine alone or 0.0.0.0 for every network`
    default:
      return `cannot listen on ${host} port ${port}: ${error.message}`
  }
}
