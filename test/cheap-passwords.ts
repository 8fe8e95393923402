// Loaded before the tests (--import): passwords cost a hundredth of what they cost people, also those of unknown users.
// test/running/start.test.ts checks the real cost, in a process of its own.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const passwords = new URL('../server/auth/passwords.ts', import.meta.url).href
const cheap = { 'memoryCost: 19_456, timeCost: 2': 'memoryCost: 8, timeCost: 1', 'm=19456,t=2': 'm=8,t=1' }

registerHooks({
  load(url, context, next) {
    if (url !== passwords) return next(url, context)
    let source = readFileSync(fileURLToPath(url), 'utf8')
    for (const [real, test] of Object.entries(cheap)) {
      if (!source.includes(real))
        throw new Error(`${url} has no "${real}" any more: change cheap-passwords.ts`)
      source = source.replace(real, test)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})
