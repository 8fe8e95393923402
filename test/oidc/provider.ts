// A real identity provider (npm oidc-provider) on this machine, with faults on demand: its responses pass through here and
// can be changed, signed with its own key or with another one.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { type Config, readConfig } from '../../server/base/config.ts'
import { keepsConnections } from '../external-host.ts'

export const CLIENT_ID = 'contrail'
export const CLIENT_SECRET = 'the-client-secret-of-the-tests'
const KEY_ID = 'test-key'

type Json = Record<string, unknown>

/** Faults of the provider. */
export interface Faults {
  /** Each request ends without a response. */
  isDown?: boolean
  /** Requests to these paths never get a response. */
  stalls?: RegExp
  /** Changes the ID token: its claims and its signature. */
  idToken?: (claims: Json) => Json
  algorithm?: 'none' | 'HS256' | 'RS256'
  isForged?: boolean
  /** Changes a JSON response on these paths. */
  answer?: { path: RegExp; change(body: Json): Json }
  /** Replaces the responses on these paths. */
  instead?: { path: RegExp; status: number; headers?: Record<string, string>; body: string }
}

export interface TestProvider {
  issuer: string
  /** The claims of each person at the provider, by login, which is the subject too. */
  people: Map<string, Json>
  faults: Faults
  /** Requested paths. */
  requests: string[]
  settings(changes?: Partial<NonNullable<Config['oidc']>>): Partial<Config>
  /** Registers the application at this origin, replacing an earlier registration. */
  accept(origin: string, client?: Json): void
  /** Goes through the provider's pages as a person would; returns the address to which it redirects the browser. */
  visit(url: string, login: string): Promise<string>
  logoutToken(changes?: Json, signing?: { header?: Json; isForged?: boolean }): string
  close(): Promise<void>
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: Json, claims: Json, key: KeyObject): string {
  const data = `${base64(header)}.${base64(claims)}`
  return `${data}.${sign('sha256', Buffer.from(data), key).toString('base64url')}`
}

export async function startProvider(): Promise<TestProvider> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const people = new Map<string, Json>()
  const faults: Faults = {}
  const requests: string[] = []
  let handle: http.RequestListener = (_request, response) => response.writeHead(503).end()
  const server = http.createServer(keepsConnections, (request, response) => {
    const path = request.url ?? ''
    requests.push(path.split('?')[0]!)
    if (faults.isDown) return void request.destroy()
    if (faults.stalls?.test(path)) return
    if (faults.instead?.path.test(path)) {
      const { status, headers = { 'content-type': 'application/json' }, body } = faults.instead
      return void response.writeHead(status, headers).end(body)
    }
    intercept(response, (body) => changed(path, body))
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Another site than the application, which tests reach by its address.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`

  function changed(path: string, body: Json): Json {
    const answer = faults.answer?.path.test(path) ? faults.answer.change(body) : body
    const token = answer['id_token']
    if (!path.startsWith('/token') || typeof token !== 'string') return answer
    const [, payload] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
    return { ...answer, id_token: idTokenOf(faults.idToken?.(claims) ?? claims) }
  }
  function idTokenOf(claims: Json): string {
    const { algorithm = 'RS256', isForged } = faults
    const header = { alg: algorithm, typ: 'JWT', kid: KEY_ID }
    if (algorithm === 'none') return `${base64({ alg: 'none' })}.${base64(claims)}.`
    return signed(header, claims, isForged ? foreign.privateKey : own.privateKey)
  }

  return {
    issuer,
    people,
    faults,
    requests,
    settings: (changes = {}) => ({
      oidc: {
        ...readConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_NAME: 'Example ID' }).oidc!,
        clientSecret: CLIENT_SECRET,
        ...changes,
      },
    }),
    accept(origin, client = {}) {
      const key = { ...own.privateKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }
      handle = createProvider({ issuer, origin, people, key, client }).callback()
    },
    visit: (url, login) => visit(issuer, url, login),
    logoutToken(changes = {}, { header = {}, isForged = false } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: CLIENT_ID,
        iat: now,
        exp: now + 120,
        jti: randomBytes(8).toString('hex'),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...changes,
      }
      const given = { alg: 'RS256', typ: 'logout+jwt', kid: KEY_ID, ...header }
      return signed(given, JSON.parse(JSON.stringify(claims)), isForged ? foreign.privateKey : own.privateKey)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Given {
  issuer: string
  origin: string
  people: Map<string, Json>
  key: Json
  client: Json
}

function createProvider({ issuer, origin, people, key, client }: Given): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${origin}/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/sign-in/signed-out`],
        backchannel_logout_uri: `${origin}/sign-in/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
        ...client,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'nickname'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    scopes: ['openid', 'profile', 'email', 'groups'],
    features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
    // A person who signs in there has consented.
    async loadExistingGrant(context) {
      const { client: known, session, params } = context.oidc
      const grant = new context.oidc.provider.Grant({
        clientId: known!.clientId,
        accountId: session!.accountId!,
      })
      grant.addOIDCScope(String(params?.['scope']))
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 600,
      IdToken: 3600,
      Interaction: 3600,
      Session: 86_400,
      Grant: 86_400,
    },
  })
  // Warnings about what only tests do.
  provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`))
  return provider
}

/** Passes JSON that is sent to `change`, and sends the result. Its pages fetch no fonts from other hosts. */
function intercept(response: http.ServerResponse, change: (body: Json) => Json): void {
  const end = response.end.bind(response)
  response.end = ((chunk?: unknown, ...rest: unknown[]) => {
    const type = String(response.getHeader('content-type'))
    const text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? String(chunk) : undefined
    const isJson = /^application\/(?:jwk-set\+)?json/.test(type)
    if (text === undefined || !(isJson || type.startsWith('text/html')))
      return end(chunk as string, ...(rest as []))
    const body = isJson
      ? JSON.stringify(change(JSON.parse(text)))
      : text.replaceAll(/@import url\([^)]*\);/g, '')
    response.setHeader('content-length', Buffer.byteLength(body))
    return end(body)
  }) as typeof response.end
}

async function visit(issuer: string, url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [address, form] = [url, undefined as URLSearchParams | undefined]
  for (let hops = 0; hops < 12; hops++) {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=')
      cookies.set(name!, value!)
    }
    const to = response.headers.get('location')
    const page = await response.text()
    if (to !== null && !to.startsWith(issuer) && !to.startsWith('/')) return to
    form = undefined
    if (to !== null) address = new URL(to, issuer).href
    else {
      assert.match(page, /name="login"/, `the provider shows another page: ${page.slice(0, 500)}`)
      form = new URLSearchParams({ prompt: 'login', login, password: 'any' })
      address = /action="([^"]+)"/.exec(page)![1]!
    }
  }
  throw new Error('the provider redirects in circles')
}
