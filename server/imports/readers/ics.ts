// Calendars of any program (section 7.2 of the import rules). An event is a flight if it names a flight number and two airports.
import type { Source } from '../source.ts'

export const ics: Source = {
  id: 'ics',
  name: 'Calendar',
  extensions: ['ics'],
  howTo: {
    en: 'In your calendar app, export the calendar as an .ics file and drop it here, or drop the .ics file that came with a booking. Events that name a flight number and two airports become flights; all others are left out.',
    de: 'Exportiere den Kalender in deiner Kalender-App als .ics-Datei und lege sie hier ab, oder lege die .ics-Datei ab, die mit einer Buchung kam. Termine, die eine Flugnummer und zwei Flughäfen nennen, werden Flüge; alle anderen bleiben weg.',
  },
  options: ['includeCancelled'],
  readers: [],
}
