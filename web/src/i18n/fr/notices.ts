/** Texts of the notices page, the bell and the choice on a flight, in French. */
import type { notices as en } from '../en/notices.ts'
import type { Translation } from '../messages.ts'

export const notices: Translation<typeof en> = {
  'notices.title': 'Notifications',
  'notices.unread': { one: '{count} notification non lue', other: '{count} notifications non lues' },
  'notices.isUnread': 'Non lue',
  'notices.empty': 'Aucune notification',
  'notices.emptyHint':
    'Quand quelqu’un vous ajoute à un vol, c’est ici que vous décidez de le conserver ou non. Les nouvelles connexions, les importations en attente et ce qui a cessé de fonctionner s’affichent également ici.',
  'notices.added': '{name} vous a ajouté à un vol : {flight}.',
  'notices.addedMore': {
    one: '{name} vous a ajouté à un vol : {flight}, et à {count} autre vol.',
    other: '{name} vous a ajouté à un vol : {flight}, et à {count} autres vols.',
  },
  'notices.addedMany': {
    one: '{name} vous a ajouté à {count} vol.',
    other: '{name} vous a ajouté à {count} vols.',
  },
  'notices.addedHere': '{name} vous a ajouté à ce vol.',
  'notices.addedMoreHere': {
    one: '{name} vous a ajouté à ce vol et à {count} autre. « Conserver » et « Se retirer » s’appliquent aux deux.',
    other:
      '{name} vous a ajouté à ce vol et à {count} autres. « Conserver » et « Se retirer » s’appliquent à tous.',
  },
  'notices.removed.left': '{name} s’est retiré d’un vol : {flight}.',
  'notices.removed.deleted': '{name} a supprimé un vol : {flight}.',
  'notices.removed.erased': '{name} a supprimé définitivement un vol : {flight}.',
  'notices.removedMany.left': {
    one: '{name} s’est retiré de {count} de vos vols.',
    other: '{name} s’est retiré de {count} de vos vols.',
  },
  'notices.removedMany.deleted': {
    one: '{name} a supprimé {count} de vos vols.',
    other: '{name} a supprimé {count} de vos vols.',
  },
  'notices.removedMany.erased': {
    one: '{name} a supprimé définitivement {count} de vos vols.',
    other: '{name} a supprimé définitivement {count} de vos vols.',
  },
  'notices.removedBy': 'Un compte supprimé',
  'notices.removedHint.left': 'Le vol reste dans votre journal.',
  'notices.removedHint.deleted': 'Vous pouvez le restaurer pendant 30 jours, dans « Supprimés récemment ».',
  'notices.removedHint.erased': 'Cette action est irréversible.',
  'notices.hereHint': 'Vos partages publics ne l’affichent qu’une fois que vous l’avez conservé.',
  'notices.flight': '{route}, {date}',
  'notices.numbered': '{number}, {route}, {date}',
  'notices.keep': 'Conserver',
  'notices.leave': 'Se retirer',
  'notices.keepOne': 'Conserver : {flight}',
  'notices.leaveOne': 'Se retirer : {flight}',
  'notices.keepAll': 'Tout conserver',
  'notices.leaveAll': 'Se retirer de tous',
  'notices.keepAllOf': 'Conserver tous les vols ajoutés par {name}',
  'notices.leaveAllOf': 'Se retirer de tous les vols ajoutés par {name}',
  'notices.showEach': 'Afficher chaque vol',
  'notices.kept': 'Conservé',
  'notices.left': 'Vous ne figurez plus sur ce vol',
  'notices.keptNow': { one: 'Vol conservé', other: '{count} vols conservés' },
  'notices.leftNow': {
    one: 'Vous ne figurez plus sur ce vol',
    other: 'Vous ne figurez plus sur {count} vols',
  },
  'notices.failed': {
    one: '{count} vol n’a pas pu être modifié. Réessayez.',
    other: '{count} vols n’ont pas pu être modifiés. Réessayez.',
  },
  'notices.leaveTitle': { one: 'Se retirer de ce vol ?', other: 'Se retirer de {count} vols ?' },
  'notices.leaveText': {
    one: 'Il disparaîtra de votre carnet de vol et de vos statistiques. Les autres passagers le conservent.',
    other:
      'Ils disparaîtront de votre carnet de vol et de vos statistiques. Les autres passagers les conservent.',
  },
  'notices.arrived': { one: '{count} vol reçu via {from}', other: '{count} vols reçus via {from}' },
  'notices.waitFrom': {
    one: '{count} entrée reçue via {from} vous attend',
    other: '{count} entrées reçues via {from} vous attendent',
  },
  'notices.waits': {
    one: '{count} autre entrée vous attend.',
    other: '{count} autres entrées vous attendent.',
  },
  'notices.fromMail': 'un e-mail transféré',
  'notices.fromMailbox': 'vos e-mails ({name})',
  'notices.unknownSender': 'Transféré par {sender}, qui n’est pas une de vos adresses.',
  'notices.undo': 'Annuler',
  'notices.takenBack': 'Importation annulée',
  'notices.unreadSource': 'Impossible de lire {name}',
  'notices.wrongCodes': {
    one: '{count} code erroné après votre mot de passe exact',
    other: '{count} codes erronés après votre mot de passe exact',
  },
  'notices.wrongCodesFrom': {
    one: '{count} code erroné après votre mot de passe exact, le dernier depuis {address}',
    other: '{count} codes erronés après votre mot de passe exact, le dernier depuis {address}',
  },
  'notices.wrongCodesHint':
    'Une personne qui connaît votre mot de passe a essayé de se connecter. Si ce n’était pas vous, changez de mot de passe.',
  'notices.someProgram': 'Un programme',
  'notices.shared.created': '{name} a créé un lien public vers vos vols.',
  'notices.shared.widened': '{name} a modifié un lien public : il en montre plus qu’avant.',
  'notices.sharedMany': {
    one: '{name} a créé ou modifié {count} lien public vers vos vols.',
    other: '{name} a créé ou modifié {count} liens publics vers vos vols.',
  },
  'notices.sharedHint':
    'Toute personne qui a le lien peut l’ouvrir. Si vous ne le vouliez pas, supprimez le lien et retirez l’accès au programme.',
  'notices.readAll': 'Tout marquer comme lu',
  'notices.more': 'Afficher plus',
  'webhooks.because.access_lost': 'Votre rôle ne permet plus d’envoyer ces vols.',
  'webhooks.because.credential_ended': 'La clé d’API ou l’application qui l’a créé n’existe plus.',
  'webhooks.because.no_success': 'Aucun envoi n’a abouti depuis cinq jours.',
  'webhooks.because.receiver_gone': 'Le destinataire a répondu qu’il n’existe plus (410).',
  'webhooks.because.secret_unreadable':
    'Le serveur ne peut plus lire son secret. Remplacez le secret pour continuer.',
  'webhooks.stopped': 'Le webhook {name} n’envoie plus rien.',
}
