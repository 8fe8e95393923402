/** Looking a flight up by number and date, in French. */
import type { lookup as en } from '../en/lookup.ts'
import type { Translation } from '../messages.ts'

export const lookup: Translation<typeof en> = {
  'lookup.button': 'Rechercher',
  'lookup.busy': 'Recherche…',
  'lookup.source.own': 'votre carnet de vol',
  'lookup.source.aerodatabox': 'AeroDataBox',
  'lookup.source.adsbdb': 'adsbdb',
  'lookup.filled': 'Rempli d’après {source} : {fields}.',
  'lookup.filledNothing': 'Rien de nouveau dans {source}.',
  'lookup.kept': 'Laissé tel que vous l’avez saisi : {fields}.',
  'lookup.usual':
    'Habituellement {departure} – {arrival} dans votre carnet de vol. Non repris : l’horaire a pu être différent ce jour-là.',
  'lookup.usualRoute': 'C’est la liaison habituelle de ce numéro aujourd’hui. Vérifiez-la pour ce jour-là.',
  'lookup.choose': 'Plusieurs vols portent ce numéro. Lequel est-ce ?',
  'lookup.cancelled': 'Le vol {route} a été annulé ce jour-là.',
  'lookup.route': 'la liaison',
  'lookup.fill': 'Compléter les heures réelles, l’appareil, l’immatriculation',
  'lookup.fillTitle': 'Compléter avec les données réelles',
  'lookup.fillFrom':
    'D’après {source} pour {number}, le {date}. Les champs vides et les heures prévues sont cochés ; ce que vous avez saisi vous-même reste, sauf si vous le cochez.',
  'lookup.fillNothing': 'Rien à ajouter : {source} indique ce qui figure déjà ici.',
  'lookup.fillOther': 'D’après {source}, {number} existe ce jour-là, mais pas sur {route}.',
  'lookup.fillSave': { one: 'Compléter {count} champ', other: 'Compléter {count} champs' },
  'lookup.fillDone': 'Vol complété',
  'lookup.empty': 'vide',
  'lookup.reason.not_found': 'Aucun vol portant ce numéro n’a été trouvé ce jour-là.',
  'lookup.reason.no_provider':
    'Ce numéro n’est pas dans votre carnet de vol, et cette instance n’interroge aucun fournisseur.',
  'lookup.reason.too_far_back': 'L’historique du fournisseur ne remonte pas à plus de 365 jours.',
  'lookup.reason.too_far_ahead': 'Le fournisseur ne connaît pas de vols aussi longtemps à l’avance.',
  'lookup.reason.quota_used': 'Le quota auprès du fournisseur est épuisé. Réessayez plus tard.',
  'lookup.reason.too_many_lookups':
    'Vous avez atteint le nombre de recherches de vols permis par personne et par jour. Réessayez demain.',
  'lookup.reason.busy': 'De nombreux vols sont recherchés en ce moment. Réessayez dans quelques secondes.',
  'lookup.reason.key_refused':
    'Le fournisseur refuse la clé de cette instance. Le propriétaire doit vérifier AERODATABOX_KEY.',
  'lookup.reason.no_response': 'Le fournisseur ne répond pas. Réessayez plus tard.',
  'lookup.reason.bad_response': 'La réponse du fournisseur n’a pas été comprise.',
}
