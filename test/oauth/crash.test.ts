// The process is killed while tokens are exchanged. Issued tokens stay valid; a client without a response can continue or is
// refused cleanly; no grant has two valid refresh tokens.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { onBothEngines, type TestApp } from '../harness.ts'
import { connect, exchange, fromManyAddresses, postForm, refreshExchange, type Tokens } from './browser.ts'

const ROUNDS = 2
const CLIENTS = 12

/** The same application in a separate process, on the same database. */
async function startProcess({ config }: TestApp): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['server/run.js'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      ORIGIN: config.origin,
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl ?? '',
      BACKUP_DIR: 'off',
    },
  })
  let out = ''
  for await (const chunk of child.stdout!) {
    out += chunk
    const address = /"message":"listening","address":"([^"]+)"/.exec(out)?.[1]
    if (address) return { child, url: address }
  }
  throw new Error(`the server did not start: ${out}`)
}

async function refreshAt(
  url: string,
  fields: Record<string, string | undefined>,
): Promise<Tokens | undefined> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)
  try {
    const reply = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(given) })
    return (await reply.json()) as Tokens
  } catch {
    return undefined
  }
}

onBothEngines(
  'a crash amid token exchanges',
  (app) => {
    test('never leaves two live refresh tokens, and never takes back an answer', async () => {
      app().clock.set(Date.now())
      for (let round = 0; round < ROUNDS; round++) {
        const flows = []
        for (let i = 0; i < CLIENTS; i++) flows.push(await connect(app()))
        const { child, url } = await startProcess(app())
        const answers = flows.map(({ flow, tokens }) =>
          refreshAt(url, refreshExchange(flow, tokens.refresh_token)),
        )
        // The first has its response, so the others are in progress.
        await Promise.race(answers)
        child.kill('SIGKILL')
        await once(child, 'exit')
        app().clock.set(Date.now())

        for (const [index, answer] of (await Promise.all(answers)).entries()) {
          const { flow, tokens } = flows[index]!
          if (answer?.refresh_token) {
            await exchange(app(), refreshExchange(flow, answer.refresh_token))
          } else {
            const again = await postForm(app(), '/oauth/token', refreshExchange(flow, tokens.refresh_token))
            if (again.status !== 200) assert.equal(again.json.error, 'invalid_grant', again.text)
          }
        }
        const rows = await app().store.read.query(
          'select family from oauth_refresh_token where used_at is null group by family having count(*) > 1',
          [],
        )
        assert.deepEqual(rows, [])
      }
    })
  },
  fromManyAddresses,
)
