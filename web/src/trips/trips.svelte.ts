/** The person's trips in the browser: loaded when a screen first needs them, and replaced by what the server returns. */
import { client, dataOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { Resource } from '../lib/resource.svelte.ts'

export type Trip = components['schemas']['Trip']
type TripInput = components['schemas']['TripInput']
type TripPatch = components['schemas']['TripPatch']

const list = new Resource((signal) => dataOf(client.GET('/trips', { signal })))

const at = (id: number) => ({ params: { path: { id } } })

export const trips = {
  /** Null until they have loaded. */
  get all(): Trip[] | null {
    return list.value
  },
  get problem(): string {
    return list.problem
  },
  /** The old ones stay until the new ones have loaded. */
  refresh: () => list.refresh(),
  /** Loads them unless they are loaded already. */
  need: () => list.need(),
  find: (id: number): Trip | undefined => list.value?.find((trip) => trip.id === id),
  /** The trip that a flight is in. */
  withFlight: (flightId: number): Trip | undefined =>
    list.value?.find(({ flightIds }) => flightIds.includes(flightId)),

  async create(body: TripInput): Promise<Trip> {
    const trip = await dataOf(client.POST('/trips', { body }))
    // All trips, because flights may have moved out of another one.
    await list.refresh()
    return trip
  },
  async change(id: number, body: TripPatch): Promise<Trip> {
    const trip = await dataOf(client.PATCH('/trips/{id}', { ...at(id), body }))
    await list.refresh()
    return trip
  },
  async remove(id: number): Promise<void> {
    await client.DELETE('/trips/{id}', at(id))
    await list.refresh()
  },
}
