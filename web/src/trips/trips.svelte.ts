/** The person's trips in the browser: loaded when a screen first needs them, and replaced by what the server returns. */
import { client, dataOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

export type Trip = components['schemas']['Trip']
type TripInput = components['schemas']['TripInput']
type TripPatch = components['schemas']['TripPatch']

let all = $state.raw<Trip[] | null>(null)
let problem = $state.raw<unknown>(null)

/** The old ones stay until the new ones have loaded. */
async function refresh(): Promise<void> {
  try {
    all = await dataOf(client.GET('/trips'))
    problem = null
  } catch (error) {
    problem = error
  }
}

const at = (id: number) => ({ params: { path: { id } } })

export const trips = {
  /** Null until they have loaded. */
  get all(): Trip[] | null {
    return all
  },
  get problem(): unknown {
    return problem
  },
  refresh,
  find: (id: number): Trip | undefined => all?.find((trip) => trip.id === id),
  /** The trip that a flight is in. */
  withFlight: (flightId: number): Trip | undefined =>
    all?.find(({ flightIds }) => flightIds.includes(flightId)),

  async create(body: TripInput): Promise<Trip> {
    const trip = await dataOf(client.POST('/trips', { body }))
    // All of them: flights may have moved out of another one.
    await refresh()
    return trip
  },
  async change(id: number, body: TripPatch): Promise<Trip> {
    const trip = await dataOf(client.PATCH('/trips/{id}', { ...at(id), body }))
    await refresh()
    return trip
  },
  async remove(id: number): Promise<void> {
    await client.DELETE('/trips/{id}', at(id))
    await refresh()
  },
}
