/** Changes that wait in this browser until the server can be reached, in French. */
import type { waiting as en } from '../en/waiting.ts'
import type { Translation } from '../messages.ts'

export const waiting: Translation<typeof en> = {
  'waiting.title': 'Pas encore synchronisé',
  'waiting.bar': {
    one: '{count} modification pas encore synchronisée.',
    other: '{count} modifications pas encore synchronisées.',
  },
  'waiting.offline': {
    one: 'Vous êtes hors ligne. {count} modification pas encore synchronisée.',
    other: 'Vous êtes hors ligne. {count} modifications pas encore synchronisées.',
  },
  'waiting.sending': 'Envoi de vos modifications…',
  'waiting.asking': {
    one: '{count} modification attend votre décision.',
    other: '{count} modifications attendent votre décision.',
  },
  'waiting.show': 'Afficher',
  'waiting.hint':
    'Ces modifications sont conservées dans ce navigateur et envoyées dans cet ordre dès que le serveur est joignable. Les autres appareils ne les voient pas encore.',
  'waiting.try': 'Essayer maintenant',
  'waiting.unreached': 'Le serveur est toujours injoignable. Vos modifications restent ici.',
  'waiting.none': 'Tout est synchronisé',
  'waiting.noneHint': 'Toutes vos modifications sont sur le serveur.',
  'waiting.sent': {
    one: 'Modification envoyée au serveur : {name}.',
    other: '{count} modifications ont été envoyées au serveur.',
  },
  'waiting.saved': 'Enregistré sur cet appareil. L’envoi aura lieu dès que le serveur sera joignable.',
  'waiting.deleted': {
    one: 'Vol supprimé sur cet appareil. La suppression sera envoyée dès que le serveur sera joignable.',
    other:
      '{count} vols supprimés sur cet appareil. La suppression sera envoyée dès que le serveur sera joignable.',
  },
  'waiting.create': 'Nouveau vol',
  'waiting.edit': 'Modification',
  'waiting.delete': 'Suppression',
  'waiting.restore': 'Annulation d’une suppression',
  'waiting.several': { one: '{count} vol', other: '{count} vols' },
  'waiting.madeAt': 'Fait le {when}',
  'waiting.refused': 'Non enregistré : {reason}',
  'waiting.changed':
    'Ce vol a aussi été modifié ailleurs, dans les mêmes champs. Choisissez les valeurs à conserver.',
  'waiting.changedDelete': 'Ce vol a été modifié ailleurs après que vous l’avez supprimé ici.',
  'waiting.gone': 'Ce vol a été supprimé ailleurs. Vous pouvez enregistrer votre version comme nouveau vol.',
  'waiting.twice':
    'Cet envoi date de plus d’un jour et est resté sans réponse ; votre carnet de vol contient maintenant un vol semblable. C’est peut-être le même.',
  'waiting.choose': 'Choisir les valeurs',
  'waiting.open': 'Ouvrir dans le formulaire',
  'waiting.deleteAnyway': 'Supprimer quand même',
  'waiting.keep': 'Conserver le vol',
  'waiting.again': 'Réessayer',
  'waiting.anyway': 'Enregistrer quand même',
  'waiting.discard': 'Abandonner',
  'waiting.discarded': 'Modification abandonnée',
  'waiting.flight': 'Votre modification de ce vol n’est pas encore synchronisée.',
  'waiting.newFlight': 'Ce vol n’est pas encore synchronisé.',
  'waiting.signOutTitle': {
    one: '{count} modification n’a pas encore été envoyée',
    other: '{count} modifications n’ont pas encore été envoyées',
  },
  'waiting.signOut':
    'Si vous le conservez, ce qui n’est pas envoyé reste dans ce navigateur et sera envoyé quand vous vous reconnecterez ici. Supprimez-le sur un appareil partagé : d’autres pourraient le lire.',
  'waiting.signOutKeep': 'Conserver et se déconnecter',
  'waiting.signOutDelete': 'Supprimer et se déconnecter',
  'waiting.stay': 'Rester connecté',
}
