// The words that find the records of a log, in every language: the web app searches its list in the browser, which
// otherwise only has the names that it shows.
import * as z from 'zod'
import { recordWords } from '../../../domain/text/search-text.ts'
import { operation, person } from '../../../door/operation.ts'
import { findSearchTexts, type Table } from '../../../store/reference/search-texts.ts'
import { Audience, single } from '../../wire/schemas.ts'
import { audienceRevision, requireKnownAudience } from '../audience.ts'
import { requestedLog } from '../flown.ts'

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
  target: { find: requestedLog },
  check: (call) => requireKnownAudience(call, 'read'),
  cached: { key: (call) => audienceRevision(call) },
  async run({ db, target }) {
    const { flights } = await target.load()
    const wordsFor = async (table: Table, ids: (number | null)[]) => {
      const known = new Set(ids.filter((id) => id !== null))
      const texts = await findSearchTexts(db, table, [...known])
      return Object.fromEntries(texts.map(({ id, search }) => [id, recordWords(search)]))
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
