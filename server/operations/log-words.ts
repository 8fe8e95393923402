// The words by which the records of a log are found, in every language: the web app's list is searched in the browser, which
// has only the names that it shows.
import * as z from 'zod'
import { wordsOf } from '../domain/search-text.ts'
import { operation, person } from '../operation.ts'
import { findSearchTexts, type Table } from '../store/search-texts.ts'
import { audienceRevision, requireKnownAudience } from './audience.ts'
import { requestedLog } from './flown-flights.ts'
import { Audience, single } from './schemas.ts'

const words = z.record(z.string(), z.string()).describe('Folded words by id, each after a blank.')

export const getLogWords = operation({
  id: 'get-log-words',
  method: 'GET',
  path: '/log-words',
  door: 'app',
  tag: 'Flights',
  summary: 'Read the search words of the airports, airlines and aircraft types in the log',
  access: person(['flight.read.own'], ['flight.read.any']),
  query: z.object(Audience),
  output: single(z.object({ airports: words, airlines: words, aircraft: words }).meta({ id: 'LogWords' })),
  target: requestedLog,
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: (call) => audienceRevision(call),
  async run({ db, target }) {
    const { flights } = await target.load()
    const wordsFor = async (table: Table, ids: (number | null)[]) => {
      const known = new Set(ids.filter((id) => id !== null))
      const texts = await findSearchTexts(db, table, [...known])
      return Object.fromEntries(texts.map(({ id, search }) => [id, wordsOf(search)]))
    }
    return {
      data: {
        airports: await wordsFor(
          'airport',
          flights.flatMap(({ fromId, toId }) => [fromId, toId]),
        ),
        airlines: await wordsFor(
          'airline',
          flights.map(({ airlineId }) => airlineId),
        ),
        aircraft: await wordsFor(
          'aircraft',
          flights.map(({ aircraftId }) => aircraftId),
        ),
      },
    }
  },
})
