// Loaded before the tests and their runner (--import). Passwords cost a hundredth of what they cost people, also those of unknown
// users, and SQLite does not wait for the disk, because the data of tests is temporary. test/running/start.test.ts checks the real
// cost, in a process of its own; processes that a test starts wait for the disk too. A request that imports a small file waits until
// it is read, however busy the machine is. Results are written before the process ends.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const changed: Record<string, Record<string, string>> = {
  '../server/services/accounts/passwords.ts': {
    'memoryCost: 19_456, timeCost: 2': 'memoryCost: 8, timeCost: 1',
    'm=19456,t=2': 'm=8,t=1',
  },
  '../server/store/engine/sqlite.ts': { 'synchronous = full': 'synchronous = off' },
  '../server/operations/imports/preview.ts': { 'SMALL_WAIT_MS = 20_000': 'SMALL_WAIT_MS = 200_000' },
}
const modules = new Map(
  Object.entries(changed).map(([path, changes]) => [new URL(path, import.meta.url).href, changes]),
)

registerHooks({
  load(url, context, next) {
    const changes = modules.get(url)
    if (!changes) return next(url, context)
    let source = readFileSync(fileURLToPath(url), 'utf8')
    for (const [real, test] of Object.entries(changes)) {
      if (!source.includes(real)) throw new Error(`${url} has no "${real}" any more: change preload.ts`)
      source = source.replace(real, test)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})

// With --test-force-exit a process ends while its last results are still in its memory, if the reader is slow: they would be lost
// without an error. Node has no public way to wait for them.
const { _handle: output } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } }
output?.setBlocking?.(true)
