/** Whose flights are shown, in French. */
import type { people as en } from '../en/people.ts'
import type { Translation } from '../messages.ts'

export const people: Translation<typeof en> = {
  'people.title': 'Vols affichés',
  'people.everyone': 'Tout le monde',
  'people.you': '{name} (vous)',
  'people.unknown': 'Personne inconnue',
  'people.more': { one: '{names} et {count} autre', other: '{names} et {count} autres' },
  'people.search': 'Rechercher une personne',
  'people.noMatch': 'Personne ne porte ce nom.',
  'people.rest': {
    one: '{count} autre personne. Recherchez par nom.',
    other: '{count} autres personnes. Recherchez par nom.',
  },
  'people.only': 'Seulement',
  'people.onlyName': 'Seulement {name}',
  'people.compare': 'Comparer',
  'people.compareNames': 'Comparer {a} et {b}',
  'people.noFlights': 'Aucun vol pour {names}',
  'people.noFlightsAll': 'Aucun vol pour l’instant',
  'people.noFlightsHint': 'Les vols apparaissent ici dès qu’ils sont enregistrés.',
}
