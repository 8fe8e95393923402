// MyFlightbook. A route lists all airports of a flight; times are UTC.
import type { SourceFlight } from '../../reading/source.ts'
import { aircraftNamed, airportNamed } from '../../values/named.ts'
import { extrasOf, textIn } from './cells.ts'
import { tableSource } from './reader.ts'

export const myflightbook = tableSource({
  id: 'myflightbook',
  name: 'MyFlightbook',
  extensions: ['csv', 'xlsx'],
  options: ['dateOrder'],
  columns: {
    date: 'Date',
    route: 'Route',
    aircraft: 'ICAO Model',
    model: 'Model',
    aircraftReg: 'Tail Number',
    departure: 'Block Out',
    engineStart: 'Engine Start',
    arrival: 'Block In',
    engineEnd: 'Engine End',
    takeoffActual: 'Flight Start',
    landingActual: 'Flight End',
    duration: 'Total Flight Time',
    note: 'Comments',
    externalId: 'Flight ID',
    pic: 'PIC',
    sic: 'SIC',
    simulator: 'Ground Simulator',
  },
  proof: ['aircraftReg', 'duration', 'route'],
  zone: 'utc',
  isLogbook: true,
  own: {
    route: routeIn,
    aircraft: (text, { cell }) => ({ aircraft: aircraftNamed(text || cell('model')) }),
    // An anonymous aircraft has a number in place of its registration.
    aircraftReg: (text) => ({ aircraftReg: /^(?:#|SIM)/i.test(text) ? null : textIn(text) }),
    departure: (text, { time, cell }) => ({ departure: time('departure', text || cell('engineStart')) }),
    arrival: (text, { time, cell }) => ({ arrival: time('arrival', text || cell('engineEnd')) }),
  },
  skip: (cell) => (/^SIM/i.test(cell('aircraftReg')) ? 'simulator' : null),
})

/** `KPAO KHAF KPAO`, `KSFO-KEWR`: the first airport, the last, and those in between. A flight can end where it began. */
function routeIn(text: string): Pick<SourceFlight, 'from' | 'to' | 'extras'> {
  const points = text.split(/[\s,;>–-]+/).filter((point) => point !== '')
  // Beacons and waypoints begin with `@`.
  const airports = points.filter((point) => !point.startsWith('@'))
  const [from, to] = [airports[0], airports.at(-1)]
  const [first, last] = [points.indexOf(from ?? ''), points.lastIndexOf(to ?? '')]
  const via = points.filter((_, i) => i !== first && i !== last)
  return { from: airportNamed(from), to: airportNamed(to), extras: extrasOf({ Via: via.join(' ') }) }
}
