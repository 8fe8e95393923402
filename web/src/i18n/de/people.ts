import type { people as en } from '../en/people.ts'
import type { Translation } from '../messages.ts'

export const people: Translation<typeof en> = {
  'people.title': 'Wessen Flüge',
  'people.everyone': 'Alle',
  'people.you': '{name} (du)',
  'people.unknown': 'Unbekannte Person',
  'people.more': { one: '{names} und {count} weitere', other: '{names} und {count} weitere' },
  'people.search': 'Personen suchen',
  'people.noMatch': 'Niemand heißt so.',
  'people.rest': {
    one: '{count} weitere Person. Suche nach dem Namen.',
    other: '{count} weitere Personen. Suche nach dem Namen.',
  },
  'people.only': 'Nur',
  'people.onlyName': 'Nur {name}',
  'people.compare': 'Vergleichen',
  'people.compareNames': '{a} und {b} vergleichen',
  'people.noFlights': 'Keine Flüge von {names}',
  'people.noFlightsAll': 'Noch keine Flüge',
  'people.noFlightsHint': 'Sie erscheinen hier, sobald sie eingetragen sind.',
}
