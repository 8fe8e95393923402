/** Texts of the visited countries, in French. */
import type { visited as en } from '../en/visited.ts'
import type { Translation } from '../messages.ts'

export const visited: Translation<typeof en> = {
  'visited.title': 'Pays',
  'visited.lived': 'Vécu',
  'visited.visited': 'Visité',
  'visited.layover': 'Transit',
  'visited.wishlist': 'Liste d’envies',
  'visited.status': 'Votre statut pour ce pays',
  'visited.note': 'Note',
  'visited.mapLabel':
    'Carte du monde : {been}, {share} du total. La liste ci-dessous présente les mêmes pays.',
  'visited.countBeen': { one: '{count} pays visité', other: '{count} pays visités' },
  'visited.byContinent': 'Par continent',
  'visited.ofAll': 'sur {all} pays et territoires, {share}',
  'visited.search': 'Rechercher un pays',
  'visited.shown': 'Pays affichés',
  'visited.mine': 'Les vôtres',
  'visited.all': 'Tous',
  'visited.empty': 'Aucun pays pour l’instant',
  'visited.emptyHint':
    'Les pays apparaissent ici avec vos vols. Vous pouvez aussi en choisir un parmi tous les pays et le marquer.',
  'visited.fromFlights': 'D’après vos vols : {status}',
  'visited.notMarked': 'Non marqué',
  'visited.byHand': 'à la main',
  'visited.marked': 'À la main',
  'visited.noMarks': 'Rien n’est marqué à la main',
  'visited.noMarksHint':
    'Choisissez un pays pour indiquer que vous y avez vécu, que vous l’avez visité sans prendre l’avion ou que vous souhaitez y aller.',
  'visited.whyFlown': {
    one: 'La carte et les statistiques comptent {count} pays d’après vos vols',
    other: 'La carte et les statistiques comptent {count} pays d’après vos vols',
  },
  'visited.whyTransit': {
    one: 'dans {count} d’entre eux, vous avez seulement changé d’avion',
    other: 'dans {count} d’entre eux, vous avez seulement changé d’avion',
  },
  'visited.whyNotBeen': {
    one: '{count} d’entre eux compte comme transit ou est marqué autrement',
    other: '{count} d’entre eux comptent comme transit ou sont marqués autrement',
  },
  'visited.whyByHand': {
    one: '{count} autre est marqué à la main',
    other: '{count} autres sont marqués à la main',
  },
  'visited.ofOthers': 'D’après les vols affichés. Vos annotations ne s’affichent qu’avec vos vols.',
  'visited.marksFailed': 'Vos marques à la main n’ont pas pu être chargées. Voici les pays de vos vols.',
}
