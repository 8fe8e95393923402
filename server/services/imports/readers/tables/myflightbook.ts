// MyFlightbook. A route lists all airports of a flight; times are UTC.
import type { Source, SourceFlight } from '../../reading/source.ts'
import { aircraftNamed, airportNamed } from '../../values/named.ts'
import { dateIn, extrasOf, self, textIn, timeIn } from './cells.ts'
import { hasTime, pilotSeat, totalTime } from './logbook.ts'
import { tableReader } from './reader.ts'

const columns = {
  date: 'Date',
  externalId: 'Flight ID',
  model: 'Model',
  aircraft: 'ICAO Model',
  aircraftReg: 'Tail Number',
  simulator: 'Ground Simulator',
  sic: 'SIC',
  pic: 'PIC',
  duration: 'Total Flight Time',
  route: 'Route',
  note: 'Comments',
  engineStart: 'Engine Start',
  engineEnd: 'Engine End',
  takeoffActual: 'Flight Start',
  landingActual: 'Flight End',
  departure: 'Block Out',
  arrival: 'Block In',
}

const reader = tableReader({
  columns,
  proof: ['aircraftReg', 'duration', 'route'],
  read(cell, warnings) {
    const time = (field: string, text: string) => timeIn(field, text, warnings, { zone: 'utc' })
    const flight: SourceFlight = {
      date: dateIn(cell('date')),
      ...routeIn(cell('route')),
      aircraft: aircraftNamed(cell('aircraft') || cell('model')),
      aircraftReg: registrationIn(cell('aircraftReg')),
      departure: time('departure', cell('departure') || cell('engineStart')),
      arrival: time('arrival', cell('arrival') || cell('engineEnd')),
      takeoffActual: time('takeoffActual', cell('takeoffActual')),
      landingActual: time('landingActual', cell('landingActual')),
      ...totalTime(cell('duration'), warnings),
      note: textIn(cell('note')),
      externalId: textIn(cell('externalId')),
      passengers: [self({ seat: pilotSeat(cell('pic'), cell('sic')) })],
    }
    const isSimulator =
      /^SIM/i.test(cell('aircraftReg')) || (hasTime(cell('simulator')) && !hasTime(cell('duration')))
    return isSimulator ? { flight, skip: 'simulator' } : { flight }
  },
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

/** An anonymous aircraft has a number in place of its registration. */
const registrationIn = (text: string): string | null => (/^(?:#|SIM)/i.test(text) ? null : textIn(text))

export const myflightbook: Source = {
  id: 'myflightbook',
  name: 'MyFlightbook',
  extensions: ['csv', 'xlsx'],
  howTo: {
    en: 'Sign in at myflightbook.com, open Logbook, then Download, and download the logbook as a CSV file. Simulator sessions are recognised and left out.',
    de: 'Melde dich bei myflightbook.com an, öffne „Logbook“, dann „Download“, und lade das Flugbuch als CSV-Datei herunter. Simulatorstunden werden erkannt und ausgelassen.',
    fr: 'Connectez-vous sur myflightbook.com, ouvrez « Logbook », puis « Download », et téléchargez le carnet en CSV. Les séances de simulateur sont reconnues et laissées de côté.',
  },
  options: ['dateOrder'],
  readers: [reader],
}
