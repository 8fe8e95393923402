// A network between Contrail and PostgreSQL that can be slow, cut, or silent.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Delay of each chunk in milliseconds, in both directions. */
  delayMs: number
  /** No data passes, and no connection is closed. */
  isStalled: boolean
  /** New connections are closed immediately. */
  isShut: boolean
  openConnections(): number
  /** Cuts every connection. */
  cut(): void
  /**
   * Called with what the client sends. `cut` ends the connection there; `cut after` passes it on and ends the connection
   * before the response comes back.
   */
  onRequest: ((bytes: Buffer) => 'pass' | 'cut' | 'cut after') | undefined
  close(): Promise<void>
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (proxy.isShut) return void client.destroy()
    const target = connect(targetPort, '127.0.0.1')
    const end = () => {
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    const pass = (to: Socket, bytes: Buffer) => {
      if (proxy.isStalled) return
      if (proxy.delayMs === 0) to.write(bytes)
      else setTimeout(() => void (to.destroyed || to.write(bytes)), proxy.delayMs)
    }
    client.on('data', (bytes: Buffer) => {
      const verdict = proxy.onRequest?.(bytes) ?? 'pass'
      if (verdict === 'cut') return end()
      if (verdict === 'cut after') {
        // The response proves that PostgreSQL has done it.
        target.removeAllListeners('data')
        target.once('data', end)
        return void target.write(bytes)
      }
      pass(target, bytes)
    })
    target.on('data', (bytes: Buffer) => pass(client, bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: TcpProxy = {
    port: (server.address() as { port: number }).port,
    delayMs: 0,
    isStalled: false,
    isShut: false,
    onRequest: undefined,
    openConnections: () => sockets.size / 2,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
