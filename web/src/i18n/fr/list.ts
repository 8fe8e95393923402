/** The list of flights, in French. */
import type { list as en } from '../en/list.ts'
import type { Translation } from '../messages.ts'

export const list: Translation<typeof en> = {
  'list.times': 'Heures locales',
  'list.zone': 'Fuseau',
  'list.flight': 'Vol',
  'list.who': 'Qui',
  'list.time': 'Durée',
  'list.delay': 'Retard',
  'list.codes': 'Liaison',
  'list.route': 'Villes',
  'list.hours': '{hours} h {minutes}',
  'list.zones': '{from} à {to}',
  'list.partOf': 'étape du trajet {from} – {to}',
  'list.roundTrip': 'Aller-retour : {city}',
  'list.railYear': '{year} : {flights}',
  'list.density': 'Hauteur des lignes',
  'list.dense': 'Compacte',
  'list.roomy': 'Confortable',
  'list.newest': 'Plus récents d’abord',
  'list.oldest': 'Plus anciens d’abord',
  'list.byDistance': 'Par distance',
  'list.byDelay': 'Par retard',
  'list.outdated': 'Voici les vols tels que chargés la dernière fois.',
  'list.printedPart':
    'Les {printed} premiers sur {all} vols. Pour imprimer les autres, filtrez la liste par année ; l’export les contient tous.',
  'list.selectionEnded': 'Sélection terminée',
  'list.keys':
    'Utilisez les flèches pour vous déplacer, les crochets pour changer d’année, Entrée pour ouvrir, X ou Espace pour sélectionner, R pour le vol retour, A pour ajouter à nouveau le même vol, D pour la hauteur des lignes et Suppr pour supprimer.',
}
