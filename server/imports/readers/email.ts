// Confirmations by mail (sections 7.1 and 7.3 of the import rules): what a message says in a form for programs, and what is attached
// to it. Free text alone is never read as a flight.
import type { Source } from '../source.ts'

export const email: Source = {
  id: 'email',
  name: 'E-mail',
  extensions: ['eml', 'mbox', 'html', 'json'],
  howTo: {
    en: 'Open the confirmation of your airline, choose to save or download the message, and drop the .eml file here; a whole mailbox as .mbox works too. The bookings that a mail contains for programs become flights, and so do calendars, passes and tickets attached to it. A mail that has only words is not guessed at.',
    de: 'Öffne die Bestätigung deiner Fluggesellschaft, speichere die Nachricht als Datei und lege die .eml-Datei hier ab; ein ganzes Postfach als .mbox geht auch. Die Buchungen, die eine Mail für Programme enthält, werden Flüge, ebenso angehängte Kalender, Bordkarten und Tickets. Was nur in Worten dasteht, wird nicht geraten.',
  },
  options: ['includeCancelled', 'includeOthers'],
  readers: [],
}
