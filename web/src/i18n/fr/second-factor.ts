import type { secondFactor as en } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

export const secondFactor: Translation<typeof en> = {
  'factor.title': 'Second facteur',
  'factor.hint':
    'Après votre mot de passe, un code d’une application d’authentification sur votre téléphone est demandé. Les clés d’accès et votre fournisseur suffisent à eux seuls.',
  'factor.noPassword': 'Votre compte n’a pas de mot de passe qu’un second facteur pourrait protéger.',
  'factor.setUp': 'Configurer',
  'factor.on': 'Activé depuis le {date}',
  'factor.codesLeft': { one: '{count} code de secours restant', other: '{count} codes de secours restants' },
  'factor.trusted': { one: '{count} navigateur de confiance', other: '{count} navigateurs de confiance' },
  'factor.fewCodes': 'Créez de nouveaux codes de secours avant que le dernier soit utilisé.',
  'factor.unreadable':
    'Ce serveur a perdu le secret de votre application et n’accepte aucun de ses codes. Désactivez le second facteur et configurez-le de nouveau.',
  'factor.newCodes': 'Nouveaux codes de secours',
  'factor.newCodes.hint': 'Les anciens codes de secours cessent aussitôt de fonctionner.',
  'factor.off': 'Désactiver',
  'factor.off.title': 'Désactiver le second facteur',
  'factor.off.hint':
    'Votre mot de passe suffit alors pour se connecter. Les codes de secours cessent de fonctionner.',
  'factor.off.done': 'Second facteur désactivé',
  'factor.scan':
    'Scannez ce code avec une application d’authentification, comme Aegis, 2FAS ou celle de votre gestionnaire de mots de passe.',
  'factor.qr': 'Code QR pour l’application d’authentification',
  'factor.secret': 'Ou saisissez cette clé dans l’application',
  'factor.code': 'Six chiffres affichés par l’application',
  'factor.enable': 'Activer',
  'factor.codes.title': 'Vos codes de secours',
  'factor.codes.hint':
    'Gardez-les à un endroit accessible sans votre téléphone. Chacun remplace un code une seule fois. Ils ne sont affichés que maintenant.',
  'factor.codes.list': 'Codes de secours',
  'factor.codes.download': 'Télécharger',
  'factor.codes.print': 'Imprimer',
  'factor.codes.done': 'Je les ai enregistrés',
  'factor.codes.file': 'Codes de secours pour {name} sur {host}',
  'confirm.title': 'Veuillez confirmer que c’est bien vous',
  'confirm.hint': 'Cela donne ou modifie un accès durable. Rien ne vous sera redemandé pendant cinq minutes.',
  'confirm.password': 'Votre mot de passe',
  'confirm.action': 'Confirmer',
  'confirm.passkey': 'Utiliser une clé d’accès',
  'confirm.provider': 'Confirmer avec {name}',
  'confirm.providerHint':
    'Vous quittez cette page et y revenez. Votre saisie est conservée, sauf les mots de passe et les codes.',
  'confirm.none': 'Déconnectez-vous et reconnectez-vous, puis recommencez.',
  'settings.password.set': 'Définir un mot de passe',
  'settings.password.setHint':
    'Votre compte n’a pas de mot de passe. Avec un mot de passe, vous pouvez aussi vous connecter sans clé d’accès ni fournisseur.',
  'settings.password.isSet': 'Mot de passe défini. Les autres appareils ont été déconnectés.',
  'settings.password.off': 'Ici, seul le propriétaire se connecte avec un mot de passe.',
}
