// What a person does with a new instance, and what must still be there afterwards: the same for the image and the Debian package.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { until } from '../until.ts'

export interface Ran {
  code: number | null
  out: Buffer
  err: string
}

export function run([command, ...words]: readonly string[], input?: Buffer, env = process.env): Ran {
  const { status, stdout, stderr, error } = spawnSync(command!, words, { input, env, maxBuffer: 1e9 })
  return { code: status, out: stdout ?? Buffer.alloc(0), err: error?.message ?? stderr.toString() }
}

/** Runs a command that must succeed; what it prints. */
export function must(words: readonly string[], input?: Buffer, env?: NodeJS.ProcessEnv): string {
  const { code, out, err } = run(words, input, env)
  assert.equal(code, 0, `${words.join(' ')}: ${err}${out}`)
  return out.toString()
}

export interface Instance {
  url: string
  /** Everything that the server wrote. */
  log(): string
  /** A command of `contrail` where the server runs. */
  contrail(...words: string[]): Ran
}

const password = 'correct horse battery'
const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

async function post(url: string, body: object, headers: object = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  assert.ok(reply.ok, `${url} ${reply.status} ${text}`)
  return { cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '', text }
}

export const isReady = ({ url }: Instance) =>
  until('the server is ready', () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )

/** The owner's account, with the token of the log; then a sign-in. */
export async function setUp({ url, log }: Instance): Promise<void> {
  const token = /"setupToken":"([^"]+)"/.exec(log())?.[1]
  assert.ok(token, `the log has no set-up token: ${log()}`)
  await post(`${url}/app/api/setup`, { username: 'ada', displayName: 'Ada', password, token })
  const { cookie } = await post(`${url}/app/api/sign-in`, { username: 'ada', password })
  assert.equal((await fetch(`${url}/app/api/session`, { headers: { ...json, cookie } })).status, 200)
}

/** A flight with a key of the command line, pages, and the picture of a share. Returns the key. */
export async function firstFlight(instance: Instance): Promise<string> {
  const { url, contrail } = instance
  const made = contrail('key', 'create', '--user', 'ada', '--name', 'test', '--scopes', 'all')
  assert.equal(made.code, 0, made.err)
  const key = made.out.toString().trim()
  const authorization = { authorization: `Bearer ${key}` }
  const flight = {
    flightNumber: 'SK909',
    from: 'CPH',
    to: 'EWR',
    date: '2026-02-20',
    departureTime: '12:30',
    arrivalTime: '15:05',
  }
  await post(`${url}/api/v1/flights/log`, flight, authorization)
  assert.equal(await countFlights(instance, key), 1)
  await post(`${url}/api/v1/shares`, { slug: 'mine' }, authorization)
  for (const [path, type, start] of [
    ['/', 'text/html', '<!doctype html>'],
    ['/docs/', 'text/html', '<!doctype html>'],
    ['/docs/licences.txt', 'text/plain', '='],
    ['/share/mine/preview.png', 'image/png', '\x89PNG'],
  ] as const) {
    const reply = await fetch(url + path, { headers: { accept: 'text/html' } })
    assert.equal(reply.status, 200, path)
    assert.match(reply.headers.get('content-type')!, new RegExp(`^${type}`), path)
    assert.ok(
      Buffer.from(await reply.arrayBuffer())
        .toString('latin1')
        .startsWith(start),
      path,
    )
  }
  return key
}

export async function countFlights({ url }: Instance, key: string): Promise<number> {
  const reply = await fetch(`${url}/api/v1/flights`, { headers: { authorization: `Bearer ${key}` } })
  return ((await reply.json()) as { data: unknown[] }).data.length
}
