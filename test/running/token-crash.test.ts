// The process is killed while tokens are exchanged. Issued tokens stay valid; a client without a response can continue or is
// refused cleanly; no grant has two valid refresh tokens. The tests of faults kill it more often.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines } from '../harness.ts'
import {
  connect,
  exchange,
  fromManyAddresses,
  postForm,
  refreshExchange,
  type Tokens,
} from '../oauth/browser.ts'
import { startServer } from './processes.ts'

const CLIENTS = 12

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
    test('A server that is killed leaves no two valid refresh tokens, and what it issued stays valid', async () => {
      app().clock.set(Date.now())
      const flows = []
      for (let i = 0; i < CLIENTS; i++) flows.push(await connect(app()))
      const server = await startServer(app().config, { ORIGIN: app().config.origin })
      const answers = flows.map(({ flow, tokens }) =>
        refreshAt(server.url, refreshExchange(flow, tokens.refresh_token)),
      )
      // The first has its response, so the others are in progress.
      await Promise.race(answers)
      await server.stop('SIGKILL')
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
    })
  },
  fromManyAddresses,
)
