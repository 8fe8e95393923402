// Nothing leaves the origin: no page, picture, font, script, export or service worker sends a request to another host, and
// the content security policy would refuse it.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after } from 'node:test'
import type { BrowserContext, Page, Response } from 'playwright-core'
import type { TestApp } from '../harness.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'

/** What a policy may contain: no other host, and no inline code. */
const ownSources = /^(?:'self'|'none'|'wasm-unsafe-eval'|data:|blob:)$/
/** Only pictures may be data of the page itself. */
const ownData = /^(?:data:|blob:)$/

/** A proxy that passes nothing on: every request of Chromium to another machine arrives here. */
function createTrap() {
  const caught: string[] = []
  let server: Server | undefined
  return {
    caught,
    async open(): Promise<string[]> {
      server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', (bytes) => {
          caught.push(bytes.toString('latin1').split('\r\n')[0] ?? '')
          socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
        })
      })
      await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening))
      // Loopback, where the application is, needs no proxy.
      return [`--proxy-server=http://127.0.0.1:${(server.address() as AddressInfo).port}`]
    },
    close: () => server?.close(),
  }
}

function policyFaults(response: Response): string[] {
  const { pathname } = new URL(response.url())
  const policy = response.headers()['content-security-policy']
  if (!policy) return [`${pathname}: no policy`]
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const names = directives.map(([name]) => name)
  const missing = [
    'default-src',
    'style-src',
    'img-src',
    'frame-ancestors',
    'base-uri',
    'form-action',
  ].filter((name) => !names.includes(name))
  return [
    ...missing.map((name) => `${pathname}: no ${name}`),
    ...directives.flatMap(([name = '', ...sources]) =>
      sources
        .filter((source) => !ownSources.test(source) || (ownData.test(source) && name !== 'img-src'))
        .map((source) => `${pathname}: ${name} ${source}`),
    ),
  ]
}

/** The origins of all requests, including those of workers, and the faults of documents' policies. */
function listen(context: BrowserContext) {
  const origins = new Set<string>()
  const faults: string[] = []
  let ofWorkers = 0
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:') origins.add(origin)
    if (request.serviceWorker()) ofWorkers++
  })
  context.on('response', (response) => {
    // A redirect has no content, and a policy that allows nothing.
    const isRedirect = response.status() >= 300 && response.status() < 400
    if (response.request().resourceType() === 'document' && !isRedirect)
      faults.push(...policyFaults(response))
  })
  return {
    origins,
    faults,
    get ofWorkers() {
      return ofWorkers
    },
  }
}

/** Runs in the page: resolves once the service worker serves it. */
const untilServed = `navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
  navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }))).then(() => undefined)`

async function savePicture(page: Page): Promise<void> {
  await follow(page, '/?time=years')
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^Picture/ }).click()
  await (await saved).path()
}

/** The first person of the instance, who then looks at the demo. */
async function setUp(app: TestApp, page: Page): Promise<string> {
  await page.goto('/setup')
  await heading(page, 'Welcome to Contrail').waitFor()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Username').fill('first')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('button', { name: /^Type one line/ }).waitFor()
  await page.evaluate(untilServed)
  const session = (await page.context().cookies()).find(({ name }) => name === 'contrail')
  const cookie = `contrail=${session?.value}`
  for (const [path, body] of [
    ['/app/api/demo', undefined],
    ['/app/api/shares', { slug: 'flown', showMap: true, showStats: true, showFlightList: true }],
  ] as const) {
    const reply = await app.request('POST', path, { cookie, ...(body && { body }) })
    assert.ok(reply.status < 300, reply.text)
  }
  const { json } = await app.request('GET', '/app/api/flights?limit=1', { cookie })
  return `/flights/${json.data[0].id}`
}

const trap = createTrap()
after(() => trap.close())

journeys(
  'privacy',
  'sqlite',
  ({ journey }) => {
    // Requests of every screen are recorded in the walk through all screens. Here Chromium's own and the worker's are, too.
    journey(
      'Set-up, the first visit, all screens and exports send no request to another host',
      async ({ app, open }) => {
        const page = await open('/robots.txt', { serviceWorkers: 'allow' })
        const visitor = await open('/robots.txt')
        const heard = [page, visitor].map((one) => listen(one.context()))
        const flight = await setUp(app, page)
        await page.reload()
        for (const path of [flight, '/flights', '/stats', '/countries', '/trips', '/settings/about'])
          await follow(page, path)
        await savePicture(page)
        for (const path of ['/sign-in', '/share/flown', '/share/none', '/oauth/authorize']) {
          await visitor.goto(path)
          await visitor.getByRole('heading', { level: 1 }).first().waitFor()
        }
        for (const { origins, faults } of heard) assert.deepEqual([[...origins], faults], [[app.url], []])
        assert.ok(heard[0]!.ofWorkers > 0, 'requests of the service worker were seen')
        assert.deepEqual(trap.caught, [])
      },
    )

    journey('A request to another host is detected', async ({ open }) => {
      const page = await open('/robots.txt', {
        mayGoTo: ['http://elsewhere.example'],
        serverMayFail: true,
      })
      const response = await page.goto('http://elsewhere.example/')
      assert.equal(response?.status(), 502)
      assert.ok(trap.caught.includes('GET http://elsewhere.example/ HTTP/1.1'), trap.caught.join('\n'))
    })
  },
  {},
  {},
  () => trap.open(),
)
