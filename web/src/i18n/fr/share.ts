/** Texts of the public share page, in French. */
import type { share as en } from '../en/share.ts'
import type { Translation } from '../messages.ts'

export const share: Translation<typeof en> = {
  'share.title': 'Vols partagés par {name}',
  'share.tripOf': 'Un voyage partagé par {name}',
  'share.flightOf': 'Un vol partagé par {name}',
  'share.from': 'de',
  'share.to': 'à',
  'share.planned': 'À venir',
  'share.localTimes': 'Heures locales',
  'share.titlePlain': 'Vols partagés',
  'share.mapLabel': 'Carte des vols partagés',
  'share.summary': '{flights} entre {airports} dans {countries}.',
  'share.gone': 'Ce partage n’existe pas',
  'share.goneHint': 'Il a peut-être expiré ou été supprimé.',
  'share.nothing': 'Rien à afficher',
  'share.nothingHint': 'Cette page ne contient ni carte, ni statistiques, ni liste.',
  'share.empty': 'Aucun vol pour l’instant',
  'share.emptyHint': 'Les nouveaux vols apparaîtront ici.',
  'share.more': { one: 'En afficher {count} de plus', other: 'En afficher {count} de plus' },
  'share.made': 'Créé avec Contrail, le carnet de vol auto-hébergé.',
}
