/** The day of travel, and the boarding passes that the person keeps for it. */

import { type ApiError, client, dataOf } from './client.ts'
import type { components } from './schema.d.ts'

type Schemas = components['schemas']
export type TravelDay = Schemas['TravelDay']
type KeptPass = Schemas['KeptPass']
export type KeptPassInput = Schemas['KeptPassInput']

export async function getTravelDay(signal: AbortSignal): Promise<TravelDay> {
  return dataOf(client.GET('/travel-day', { signal }))
}

/** Minutes before departure at which the person leaves for the airport; null if that is not shown. */
export const getLeaveMinutes = async (signal: AbortSignal): Promise<{ minutes: number | null }> => ({
  minutes: (await dataOf(client.GET('/notification-settings', { signal }))).leaveMinutes,
})

const ofFlight = (id: number) => ({ params: { path: { id } } })

/** Null if none is kept. */
export const getKeptPass = (id: number, signal: AbortSignal): Promise<KeptPass | null> =>
  dataOf(client.GET('/flights/{id}/kept-pass', { ...ofFlight(id), signal })).catch((error: ApiError) => {
    if (error.status === 404) return null
    throw error
  })

export const keepPass = (id: number, body: KeptPassInput) =>
  dataOf(client.PUT('/flights/{id}/kept-pass', { ...ofFlight(id), body }))

/** The copy that is read offline goes too. */
export async function forgetPass(id: number): Promise<void> {
  await client.DELETE('/flights/{id}/kept-pass', ofFlight(id))
  if ('caches' in window)
    await (await caches.open('contrail-data')).delete(`/app/api/flights/${id}/kept-pass`).catch(() => false)
}
