/** The invitation of an empty log, and the ways in, in French. */
import type { firstRun as en } from '../en/first-run.ts'
import type { Translation } from '../messages.ts'

export const firstRun: Translation<typeof en> = {
  'imports.title': 'Importation',
  'imports.howTo': 'Comment obtenir mon fichier ?',
  'imports.howToHint': 'Choisissez où se trouvent vos vols actuellement.',
  'imports.howToBack': 'Toutes les sources',
  'imports.howToNone':
    'Contrail lit tout tableau contenant une date, un aéroport de départ et un aéroport d’arrivée.',
  'imports.sourceCurrent': 'Actuelle',
  'imports.drop': 'Relâchez pour lire le fichier',
  'imports.dropHint': 'Exportation, calendrier, e-mail, carte d’embarquement',
  'imports.choose': 'Choisir un fichier',
  'imports.uploading': 'Envoi de « {file} »…',
  'imports.pasted': 'Texte collé',
  'imports.oneFile': 'Un seul fichier à la fois. Seul le premier est lu.',
  'imports.emptyFile': 'Ce fichier est vide.',
  'imports.needsServer': 'L’importation nécessite le serveur, injoignable pour le moment.',
  'imports.first.title': 'Tous les vols que vous avez pris, sur un seul globe',
  'imports.first.text': 'Votre carnet de vol est vide. Commencez avec ce que vous avez sous la main.',
  'imports.first.drop': 'Déposez un fichier n’importe où',
  'imports.first.dropHint': 'Exportation, calendrier, e-mail, carte d’embarquement',
  'imports.first.import': 'Importer un fichier',
  'imports.first.importHint': 'Flighty, TripIt, Excel et d’autres',
  'imports.first.tables': 'Excel et CSV',
  'nav.scan': 'Scanner une carte d’embarquement',
  'imports.first.scanHintShort': 'Caméra, photo, PDF ou pass Wallet',
  'imports.first.scanHint': 'Avec cette caméra, ou depuis une photo ou un PDF',
  'imports.first.line': 'Saisir une ligne',
  'imports.first.lineHint': 'Par exemple',
  'imports.first.lineDay': '20 fév',
  'imports.first.demo': 'Jeter d’abord un œil',
  'imports.first.demoHint': 'Un carnet de démonstration ; un clic le supprime',
  'imports.first.demoShow': 'Afficher la démo',
}
