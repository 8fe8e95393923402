/** What this instance can do beyond what every instance can; read once, when something first depends on it. */
import { client } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { Resource } from './resource.svelte.ts'

type Feature = components['schemas']['Discovery']['features'][number]

const known = new Resource<readonly Feature[]>(
  async (signal) => (await client.GET('/', { signal })).data!.features,
)

/** Until it is known, and if it cannot be read, it has none. */
export const hasFeature = (name: Feature): boolean => known.value?.includes(name) ?? false

export const loadFeatures = (): Promise<void> => known.need()
