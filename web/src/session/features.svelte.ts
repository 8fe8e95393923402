/** What this instance can do beside what every instance can; read once, when something first depends on it. */
import { client } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

type Feature = components['schemas']['Discovery']['features'][number]

let known = $state.raw<readonly Feature[]>([])
let asked = false

/** Until it is known, and if it cannot be read, it has none. */
export function hasFeature(name: Feature): boolean {
  return known.includes(name)
}

export async function loadFeatures(): Promise<void> {
  if (asked) return
  asked = true
  try {
    known = (await client.GET('/')).data!.features
  } catch {
    asked = false
  }
}
