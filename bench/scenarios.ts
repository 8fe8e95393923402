// What is measured, and what we aim for.
import { createCursors } from '../server/operations/cursors.ts'
import { type Dataset, dateOf } from './data.ts'
import type { Request } from './load.ts'

type Make = (dataset: Dataset) => (i: number) => Request

export interface Scenario {
  name: string
  /** Ratio to the floor that we aim for, by engine. */
  aim: Record<'sqlite' | 'postgres', number>
  requests: number
  status?: number
  make: Make
  /** Compare with this on the small log instead of with the floor. */
  against?: Make
  /** Runs on the log of a million flights. */
  million?: boolean
}

const headers = (dataset: Dataset) => ({ authorization: `Bearer ${dataset.key}` })
export const get =
  (path: string): Make =>
  (dataset) =>
  () => ({ method: 'GET', path, headers: headers(dataset) })

const cursors = createCursors('f1')

/** Every request another page, so that none is answered from the cache. */
const coldPage =
  (scope: string): Make =>
  (dataset) => {
    let n = 0
    return () => {
      const id = 1 + ((++n * 104_729) % dataset.flights)
      const cursor = cursors.write({ date: dateOf(id), id })
      return {
        method: 'GET',
        path: `/api/v1/flights?scope=${scope}&cursor=${cursor}`,
        headers: headers(dataset),
      }
    }
  }

const newFlight: Make = (dataset) => () => ({
  method: 'POST',
  path: '/api/v1/flights',
  headers: { ...headers(dataset), 'content-type': 'application/json' },
  body: JSON.stringify({
    date: '2026-05-01',
    fromId: 2542,
    toId: 2578,
    departure: '2026-05-01T08:15:00+02:00',
    arrival: '2026-05-01T09:25:00+02:00',
    flightNumber: 'SK451',
    passengers: [{ userId: dataset.userId, seat: 'window', seatNumber: '12A', seatClass: 'economy' }],
  }),
})

const words = ['london', 'cph', 'zürich', 'new y', 'inter', 'san', 'international', 'kastrup', 'osl', 'tegel']
const search =
  (query: (n: number) => string): Make =>
  (dataset) => {
    let n = 0
    return () => ({
      method: 'GET',
      path: `/api/v1/airports?query=${encodeURIComponent(query(n++))}`,
      headers: headers(dataset),
    })
  }

export const scenarios: Scenario[] = [
  {
    name: 'small authenticated GET (/me)',
    aim: { sqlite: 2, postgres: 2 },
    requests: 2500,
    make: get('/api/v1/me'),
  },
  { name: 'page of 50, warm', aim: { sqlite: 3, postgres: 4 }, requests: 1500, make: get('/api/v1/flights') },
  { name: 'page of 50, cold', aim: { sqlite: 18, postgres: 33 }, requests: 300, make: coldPage('mine') },
  {
    name: '304 on a known ETag',
    aim: { sqlite: 2, postgres: 2 },
    requests: 2500,
    status: 304,
    make: get('/api/v1/flights'),
  },
  { name: 'POST a flight', aim: { sqlite: 5, postgres: 5 }, requests: 400, status: 201, make: newFlight },
  {
    name: 'cold page: mine against all',
    aim: { sqlite: 1.2, postgres: 1.2 },
    requests: 300,
    make: coldPage('mine'),
    against: coldPage('all'),
  },
  {
    name: 'cold page: 1,000,000 flights against 10,000',
    aim: { sqlite: 1.2, postgres: 1.2 },
    requests: 300,
    million: true,
    make: coldPage('mine'),
    against: coldPage('mine'),
  },
  {
    name: 'airport search, warm',
    aim: { sqlite: 3, postgres: 4 },
    requests: 1000,
    make: search((n) => words[n % words.length]!),
  },
  {
    name: 'airport search, cold',
    aim: { sqlite: 60, postgres: 60 },
    requests: 300,
    // A number nobody searched for yet: nothing is cached, and the whole text is gone through.
    make: search((n) => `${words[n % words.length]} ${n}`),
  },
]
