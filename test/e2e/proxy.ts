// A proxy in front of the application, as in most installations, that can fail in every way that real ones do.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { freePort } from '../postgres.ts'

/** `held`: no response until `release`. The portals belong to a network that requires a sign-in first. */
export type Way = 'through' | 'refused' | '502' | 'held' | 'portal that redirects' | 'portal that responds'

const LOGIN = '/wifi-login'
const portal = '<!doctype html><title>Free Wi-Fi</title><h1>Sign in to this network</h1>'

export class FrontProxy {
  readonly port: number
  #server: Server | undefined
  #target = ''
  #way: Way = 'through'
  #held: (() => void)[] = []

  constructor(port: number) {
    this.port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The number of requests without a response yet. */
  get waiting(): number {
    return this.#held.length
  }

  async open(target: string): Promise<void> {
    this.#target = target
    await this.set('through')
  }

  async set(way: Way): Promise<void> {
    this.#way = way
    if (way === 'refused') return this.close()
    if (this.#server) return
    this.#server = createServer((asked, answer) => this.#respond(asked, answer))
    await new Promise<void>((done) => void this.#server!.listen(this.port, '127.0.0.1', done))
  }

  /** The server responds again, also to held requests. */
  async release(): Promise<void> {
    await this.set('through')
    for (const go of this.#held.splice(0)) go()
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.#held = []
    if (!server) return
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }

  #respond(asked: IncomingMessage, answer: ServerResponse): void {
    const html = { 'content-type': 'text/html; charset=utf-8' }
    if (this.#way === '502') answer.writeHead(502, html).end('<h1>502 Bad Gateway</h1>')
    else if (this.#way === 'portal that responds') answer.writeHead(200, html).end(portal)
    else if (this.#way === 'portal that redirects') {
      if (asked.url === LOGIN) answer.writeHead(200, html).end(portal)
      else answer.writeHead(302, { location: LOGIN }).end()
    } else if (this.#way === 'held') this.#held.push(() => this.#pass(asked, answer))
    else this.#pass(asked, answer)
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, headers, url } = asked
    const passed = request(new URL(url!, this.#target), { method: method!, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  }
}

export const createProxy = async (): Promise<FrontProxy> => new FrontProxy(await freePort())
