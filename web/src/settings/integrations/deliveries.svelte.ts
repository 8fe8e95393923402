/** The deliveries of a webhook: the newest ones, more on demand, and polling until one was sent. */
import { client, dataOf } from '../../api/client.ts'
import { joined, type Resource, resource } from '../../lib/resource.svelte.ts'
import type { Delivery } from './webhooks.ts'

const PAGE = 25
const LOOK_EVERY_MS = 700
/** The server waits 15 seconds for a response. */
const LOOKS_AT_MOST = 25

async function fetchPage(id: number, signal: AbortSignal, cursor?: string) {
  const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }
  const { data } = await client.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })
  return data!
}

export class DeliveryList {
  readonly #webhookId: number
  readonly #pages: Resource<Awaited<ReturnType<typeof fetchPage>>>

  /** Belongs to one component and ends with it. */
  constructor(webhookId: number) {
    this.#webhookId = webhookId
    this.#pages = resource((signal) => fetchPage(webhookId, signal))
  }

  get items(): Delivery[] {
    return this.#pages.value?.data ?? []
  }
  /** Why the deliveries could not be loaded; empty if they were. */
  get problem(): string {
    return this.#pages.state === 'failed' ? this.#pages.problem : ''
  }
  get hasMore(): boolean {
    return this.#next !== null
  }
  get #next(): string | null {
    return this.#pages.value?.page.nextCursor ?? null
  }

  async more(): Promise<void> {
    const cursor = this.#next
    if (cursor === null) return
    await this.#pages.refresh(async (signal) =>
      joined(this.#pages.value, await fetchPage(this.#webhookId, signal, cursor)),
    )
    if (this.#pages.error !== null) throw this.#pages.error
  }

  /** Queues a delivery again and waits until it was attempted. */
  async retry({ id, attempts }: Delivery): Promise<Delivery | undefined> {
    const path = { id: this.#webhookId, deliveryId: id }
    await dataOf(client.POST('/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path } }))
    return this.follow(id, attempts.length)
  }

  /** Polls until it was attempted once more. Undefined if that takes too long. */
  async follow(id: number, attempts = 0): Promise<Delivery | undefined> {
    const find = () => this.items.find((delivery) => delivery.id === id)
    const isOver = () => {
      const found = find()
      return found !== undefined && (found.attempts.length > attempts || found.state === 'replaced')
    }
    let looks = 1
    await this.#pages.refresh()
    await this.#pages.poll(LOOK_EVERY_MS, () => isOver() || ++looks > LOOKS_AT_MOST)
    return isOver() ? find() : undefined
  }
}
