import { client, dataOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { resource } from '../lib/resource.svelte.ts'

type ShareInput = components['schemas']['ShareInput']

const PAUSE_MS = 150

/** What visitors of a link will see, computed by the server from settings that are not saved yet. Call it in a component. */
export function previewOf(settings: () => ShareInput) {
  // As text, so that only a change of the settings themselves is sent.
  const wanted = $derived(JSON.stringify(settings()))
  return resource(
    async (signal) => {
      const body = JSON.parse(wanted) as ShareInput
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      return dataOf(client.POST('/share-preview', { body, signal }))
    },
    () => wanted,
  )
}
