// Random requests, many more with `npm run test:faults`: every response is JSON in the declared shape and never a 500. Seeded, so
// that a failure can be repeated; FUZZ_REQUESTS and FUZZ_SEED change number and seed.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operations } from '../server/operations/index.ts'
import { createRandom, onBothEngines } from './harness.ts'
import { isLong } from './rounds.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? (isLong ? 20_000 : 2000))
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261115)
const AT_ONCE = 16

type Random = ReturnType<typeof createRandom>

const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '0x10',
  '1e3',
  'NaN',
  'Infinity',
  'null',
  'true',
  '%',
  '_',
  '%%',
  "'",
  '"',
  '\\',
  '\u0000',
  '\ud800',
  '\u202e',
  'é',
  '🛫',
  'a'.repeat(600),
  '../../etc/passwd',
  "'; drop table flight; --",
  '<script>',
  '{{7*7}}',
  '2026-02-30',
  '2026-01-01',
  '0000-00-00',
  '9999-12-31',
  '2026-01-01T00:00:00Z',
  '2026-01-01T10:00:00+99:00',
  'CPH',
  'mine',
  'user',
  'all',
  '__proto__',
  'constructor',
  '2147483648',
  '9007199254740991',
  '99999999999999999999',
  'ZjEuMjAyNi0wMS0wMS4x',
  'economy+',
  'window',
]
const oddNumbers = [0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324]

function oddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 5 : 8)
  if (kind === 0) return random.pick(oddTexts)
  if (kind === 1) return random.pick(oddNumbers)
  if (kind === 2) return null
  if (kind === 3) return random.below(2) === 1
  if (kind === 4) return random.below(100_000)
  if (kind === 5) return Array.from({ length: random.below(4) }, () => oddValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(oddTexts), oddValue(random, depth + 1)]),
  )
}

/** A valid body with some fields changed, removed or duplicated. */
function spoiled(random: Random, body: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = structuredClone(body)
  for (let i = random.below(4); i >= 0; i--) {
    const field = random.pick(Object.keys(body))
    if (random.below(4) === 0) delete copy[field]
    else copy[field] = oddValue(random)
  }
  return copy
}

onBothEngines(
  'fuzz',
  (app, engine) => {
    let keys: string[]
    let cookie: string
    let flight: Record<string, unknown>
    before(async () => {
      const [ada, admin, owner] = [
        await app().person(),
        await app().person('role-administrator'),
        await app().person('owner'),
      ]
      keys = [
        await ada.key(),
        await admin.key(),
        await owner.key(),
        await ada.key(['flight.read.own']),
        'ctk_nonsense',
      ]
      cookie = await ada.session()
      flight = {
        date: '2026-05-01',
        datePrecision: 'day',
        fromId: await app().airportId('CPH'),
        toId: await app().airportId('OSL'),
        departure: '2026-05-01T10:00:00Z',
        arrival: '2026-05-01T12:00:00Z',
        duration: 7200,
        flightNumber: 'SK1',
        note: 'n',
        airlineId: null,
        aircraftId: null,
        customFields: {},
        passengers: [{ userId: ada.id, seat: 'window', seatClass: 'economy' }],
        // Fields that other operations accept, so that their bodies are partly right too.
        name: 'x',
        scopes: ['flight.read.own'],
        username: 'fuzzer',
        displayName: 'Fuzz Er',
        password: 'longenough',
        permissions: [],
        slug: 'fuzz',
        code: 'DK',
        status: 'visited',
        key: 'fuzz_key',
        label: 'L',
        entityType: 'flight',
        fieldType: 'text',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
        sourceFormat: 'gpx',
        icao: 'ZZZZ',
        iata: null,
        latitude: 1,
        longitude: 1,
        timezone: 'UTC',
        type: 'closed',
        continent: 'EU',
        country: 'DK',
        roleId: 'role-user',
      }
    })

    test(`${REQUESTS / 2} requests get JSON and never a 500`, async () => {
      const random = createRandom(SEED + (engine === 'sqlite' ? 0 : 1))
      const seen = new Map<number, number>()
      // Sign-in is slow by design, and sign-out ends the session that the other requests need.
      const left = [
        'sign-in',
        'set-up',
        'change-password',
        'sign-out',
        'sign-out-everywhere',
        'delete-session',
      ]
      const list = operations.filter((op) => !left.includes(op.id))
      const one = async () => {
        const op = random.pick(list)
        const api = op.door === 'app' || random.below(3) === 0 ? '/app/api' : '/api/v1'
        const root = op.door === 'page' ? '' : api
        const path = op.path.replaceAll(/\{\w+\}/g, () =>
          encodeURIComponent(
            random.below(2) ? String(1 + random.below(500)) : random.pick(oddTexts).toWellFormed(),
          ),
        )
        const query = Array.from({ length: random.below(4) }, () => {
          const name = random.pick([...Object.keys(op.query?.shape ?? {}), 'x'])
          return `${name}=${encodeURIComponent(random.pick(oddTexts).toWellFormed())}`
        })
        const body = random.below(4) === 0 ? oddValue(random) : spoiled(random, flight)
        const raw = random.below(20) === 0 ? '{"broken' : JSON.stringify(body)
        const method = random.below(15) === 0 ? random.pick(['PATCH', 'PUT', 'DELETE', 'POST']) : op.method
        const url = `${root}${path}${query.length ? `?${query.join('&')}` : ''}`
        const credential = root === '/app/api' ? { cookie } : { key: random.pick(keys) }
        const reply = await app().request(method, url, {
          ...credential,
          ...(method === 'GET' ? {} : { raw }),
        })
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
        const what = `${method} ${url} ${raw?.slice(0, 500)} → ${reply.status} ${reply.text.slice(0, 300)}`
        assert.ok(reply.status < 500, what)
        // The first is a page; without a slug, the others are the path of one too.
        if (op.id === 'describe-share' || (op.door === 'page' && /^\/share\/+(?:data|preview)/.test(url)))
          return
        if (reply.status >= 400) assert.equal(typeof reply.json?.error?.code, 'string', what)
        else if (reply.text && !op.sends?.stream) assert.ok(reply.json !== undefined, what)
      }
      for (let done = 0; done < REQUESTS / 2; done += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, one))
      for (const status of [200, 400, 401, 403, 404, 405, 422])
        assert.ok(seen.get(status), `no ${status} among ${[...seen.keys()]}`)
    })
  },
  {},
  { getsRandomRequests: true },
)
