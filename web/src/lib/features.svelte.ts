/** Optional features of this instance; loaded when something first depends on them. */
import { client } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { Resource } from './resource.svelte.ts'

type Feature = components['schemas']['Discovery']['features'][number]

const known = new Resource<readonly Feature[]>(
  async (signal) => (await client.GET('/', { signal })).data!.features,
)

/** Until they are known, and if they cannot be loaded, there are none. */
export const hasFeature = (name: Feature): boolean => known.value?.includes(name) ?? false

export const loadFeatures = (): Promise<void> => known.need()
