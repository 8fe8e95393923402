// A browser without a screen: keeps cookies, follows redirects, fills in HTML forms. Also shortcuts through the authorization flow
// for tests of the steps after it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Ask, Reply, TestApp } from '../harness.ts'

/** An application of this process, or a server that runs elsewhere. */
export type Site = Pick<TestApp, 'request'> & { config: Pick<TestApp['config'], 'origin'> }

export interface Form {
  action: string
  /** Hidden and text fields with their values, and ticked boxes. */
  fields: [string, string][]
  /** Every box, ticked or not. */
  boxes: string[]
}

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #app: Site

  readonly #headers: Record<string, string>

  /** `headers` are those that a proxy adds to every request. */
  constructor(app: Site, cookie?: string, headers: Record<string, string> = {}) {
    this.#app = app
    this.#headers = headers
    if (cookie) this.#keep(cookie)
  }

  #keep(pair: string) {
    const [name, ...value] = pair.split(';', 1)[0]!.split('=')
    if (value.join('=') === '') this.cookies.delete(name!)
    else this.cookies.set(name!, value.join('='))
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #send(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const reply = await this.#app.request(method, path, {
      ...ask,
      headers: { cookie: this.cookie, ...newAddress(), ...this.#headers, ...ask.headers },
    })
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) this.#keep(line)
    return reply
  }

  get(path: string): Promise<Reply> {
    return this.#send('GET', path)
  }

  /** GET and every redirect within this site; the last reply is a page or leaves the site. */
  async follow(path: string): Promise<Reply> {
    let reply = await this.get(path)
    for (let hops = 0; reply.status === 303 && reply.headers.location!.startsWith('/'); hops++) {
      assert.ok(hops < 10, 'redirected in circles')
      reply = await this.get(reply.headers.location!)
    }
    return reply
  }

  post(
    path: string,
    fields: Iterable<[string, string]>,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.#send('POST', path, {
      raw: new URLSearchParams([...fields]).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        origin: this.#app.config.origin,
        ...headers,
      },
    })
  }
}

/** The one form of a page. */
export function formIn(page: Reply): Form {
  const form = /<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(page.text)
  assert.ok(form, `no form on the page (${page.status}): ${page.text.slice(0, 300)}`)
  const fields: [string, string][] = []
  const boxes: string[] = []
  for (const [tag] of form[2]!.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
    const name = of('name')!
    const value = decoded(of('value') ?? '')
    if (of('type') === 'checkbox') boxes.push(value)
    if (of('type') !== 'checkbox' || / checked/.test(tag)) fields.push([name, value])
  }
  return { action: form[1]!, fields, boxes }
}

const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A form's fields with some replaced. */
export const filled = (form: Form, values: Record<string, string | string[]>): [string, string][] => [
  ...form.fields.filter(([name]) => !(name in values)),
  ...Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  ),
]

export interface RegisteredClient {
  client_id: string
  client_secret?: string
  redirect_uris: string[]
}

export const REDIRECT_URI = 'https://client.example/callback'

/** With these settings every request comes from a different address, to stay below the rate limits. */
export const fromManyAddresses = { addressHeader: 'x-client-address' }
let addresses = 0
const newAddress = () => {
  addresses++
  return { 'x-client-address': `198.51.${addresses >> 8}.${addresses & 255}` }
}

export async function registerClient(
  app: Site,
  metadata: Record<string, unknown> = {},
): Promise<RegisteredClient> {
  const reply = await app.request('POST', '/oauth/register', {
    headers: newAddress(),
    body: { client_name: 'Test client', redirect_uris: [REDIRECT_URI], ...metadata },
  })
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

export interface Pkce {
  verifier: string
  challenge: string
}
export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const authorizePath = (parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

export interface Flow {
  client: RegisteredClient
  pkce: Pkce
  redirectUri: string
  resource: string
}

export function createFlow(app: Site, client: RegisteredClient, changes: Partial<Flow> = {}): Flow {
  const resource = `${app.config.origin}/api/v1`
  return { client, pkce: createPkce(), redirectUri: client.redirect_uris[0]!, resource, ...changes }
}

export const requestOf = (flow: Flow, scope?: string): Record<string, string | undefined> => ({
  response_type: 'code',
  client_id: flow.client.client_id,
  redirect_uri: flow.redirectUri,
  code_challenge: flow.pkce.challenge,
  code_challenge_method: 'S256',
  resource: flow.resource,
  state: 'the-state',
  scope,
})

/** Opens the consent page in a signed-in browser. */
export async function openConsent(browser: Browser, flow: Flow, scope?: string): Promise<Form> {
  const page = await browser.follow(authorizePath(requestOf(flow, scope)))
  assert.equal(page.status, 200, page.text)
  return formIn(page)
}

/** Approves the consent page, with the given `scopes` or the requested ones. */
export async function approve(browser: Browser, flow: Flow, scope?: string, scopes?: string[]): Promise<URL> {
  const form = await openConsent(browser, flow, scope)
  const fields = filled(form, { decision: 'approve', ...(scopes ? { scope: scopes } : {}) })
  const reply = await browser.post(form.action, fields)
  assert.equal(reply.status, 303, reply.text)
  return new URL(reply.headers.location!)
}

export const codeOf = (back: URL): string => {
  const code = back.searchParams.get('code')
  assert.ok(code, `no code in ${back.href}`)
  return code
}

export function postForm(
  app: Site,
  path: string,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return app.request('POST', path, {
    raw: new URLSearchParams(given).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...newAddress(), ...headers },
  })
}

export const codeExchange = (flow: Flow, code: string): Record<string, string | undefined> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: flow.redirectUri,
  code_verifier: flow.pkce.verifier,
  resource: flow.resource,
  client_id: flow.client.client_id,
  client_secret: flow.client.client_secret,
})

export const refreshExchange = (flow: Flow, refreshToken: string): Record<string, string | undefined> => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  resource: flow.resource,
  client_id: flow.client.client_id,
  client_secret: flow.client.client_secret,
})

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

export const exchange = async (app: Site, fields: Record<string, string | undefined>): Promise<Tokens> => {
  const reply = await postForm(app, '/oauth/token', fields)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

/** The whole flow for a new person and a new client. */
export async function connect(
  app: TestApp,
  scope = 'profile.read flight.read.own',
  changes: Partial<Flow> = {},
) {
  const person = await app.person()
  const browser = new Browser(app, await person.session())
  const flow = createFlow(app, await registerClient(app), changes)
  const code = codeOf(await approve(browser, flow, scope))
  const tokens = await exchange(app, codeExchange(flow, code))
  return { person, browser, flow, code, tokens }
}

export const statusWith = async (app: Site, token: string, path = '/api/v1/me'): Promise<number> =>
  (await app.request('GET', path, { key: token })).status
