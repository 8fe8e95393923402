// The data with which the web app reads a line of text, also offline: airports with airline service, airlines,
// aircraft types, and records that were added here, in one file that it caches.
import * as z from 'zod'
import { operation, person } from '../../door/operation.ts'
import { single } from '../wire/schemas.ts'

const numbers = z.array(z.number())
const texts = z.string()
const periods = z.array(z.tuple([z.string(), z.int(), z.string().nullable(), z.string().nullable()]))

const LineData = z
  .object({
    zones: z.array(z.string()),
    airports: z.object({
      id: numbers,
      iata: texts,
      icao: texts,
      name: texts,
      city: texts,
      country: texts,
      latitude: numbers,
      longitude: numbers,
      zone: numbers,
      size: numbers,
      names: texts,
      periods,
      cities: periods,
    }),
    airlines: z.object({
      id: numbers,
      iata: texts,
      icao: texts,
      name: texts,
      names: texts,
      size: numbers,
      periods,
    }),
    aircraft: z.object({ id: numbers, icao: texts, iata: texts, name: texts, names: texts, size: numbers }),
  })
  .meta({ id: 'LineData' })

export const getLineData = operation({
  id: 'get-line-data',
  method: 'GET',
  path: '/line-data',
  door: 'app',
  tag: 'Reference data',
  summary: 'Read the airports, airlines and aircraft types that a line of text may name',
  access: person(),
  output: single(LineData),
  cached: { key: ({ principal }) => String(principal.revisions.reference) },
  run: async ({ db, services, principal }) => ({
    data: await services.reference.lineData(db, principal.revisions.reference),
  }),
})
