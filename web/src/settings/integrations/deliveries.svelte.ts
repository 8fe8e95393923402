/** The deliveries of one webhook: the newest ones, more on demand, and waiting for one to be sent. */
import { client, dataOf } from '../../api/client.ts'
import { explain } from '../../api/explain.ts'
import type { Delivery } from './webhooks.ts'

const PAGE = 25
const LOOK_EVERY_MS = 700
/** The server waits 15 seconds for a response. */
const LOOKS_AT_MOST = 25

export class DeliveryList {
  items = $state.raw<Delivery[]>([])
  problem = $state('')
  isLoaded = $state(false)
  next = $state.raw<string | null>(null)
  #webhookId: number

  constructor(webhookId: number) {
    this.#webhookId = webhookId
    void this.refresh()
  }

  async #page(cursor?: string) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await client.GET('/webhooks/{id}/deliveries', {
      params: { path: { id: this.#webhookId }, query },
    })
    return data!
  }

  async refresh(): Promise<void> {
    try {
      const { data, page } = await this.#page()
      this.items = data
      this.next = page.nextCursor
      this.isLoaded = true
      this.problem = ''
    } catch (error) {
      this.problem = explain(error)
    }
  }

  async more(): Promise<void> {
    if (this.next === null) return
    const { data, page } = await this.#page(this.next)
    this.items = [...this.items, ...data]
    this.next = page.nextCursor
  }

  /** Queues a delivery again and waits until it was attempted. */
  async retry({ id, attempts }: Delivery): Promise<Delivery | undefined> {
    const path = { id: this.#webhookId, deliveryId: id }
    await dataOf(client.POST('/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path } }))
    return this.follow(id, attempts.length)
  }

  /** Looks until it was attempted once more; undefined if that takes too long. */
  async follow(id: number, attempts = 0): Promise<Delivery | undefined> {
    for (let look = 0; look < LOOKS_AT_MOST; look++) {
      await this.refresh()
      const found = this.items.find((delivery) => delivery.id === id)
      if (found && (found.attempts.length > attempts || found.state === 'replaced')) return found
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return undefined
  }
}
