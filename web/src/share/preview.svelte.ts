import { client, dataOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

type ShareInput = components['schemas']['ShareInput']
type Page = Awaited<ReturnType<typeof load>>

const PAUSE_MS = 150

const load = (body: ShareInput) => dataOf(client.POST('/share-preview', { body }))

/** What visitors of a link will see, computed by the server from settings that are not saved yet. Call it in a component. */
export function previewOf(settings: () => ShareInput): {
  readonly page: Page | null
  readonly failed: boolean
} {
  let page = $state.raw<Page | null>(null)
  let failed = $state(false)
  // As text, so that only a change of the settings themselves is sent.
  const wanted = $derived(JSON.stringify(settings()))
  $effect(() => {
    const body = JSON.parse(wanted) as ShareInput
    // Only the response for the newest settings is used, in whatever order the responses arrive.
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const found = await load(body)
        if (isCurrent) [page, failed] = [found, false]
      } catch {
        if (isCurrent) failed = true
      }
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  })
  return {
    get page() {
      return page
    },
    get failed() {
      return failed
    },
  }
}
