// The texts of the pages on the way to the identity provider and back, in each language.

import type { Language } from '../../domain/languages.ts'
import type { ProviderProblem } from '../../services/accounts/provider.ts'

/** Several problems share a text, because the person can do the same about them. */
type Told = 'away' | 'cancelled' | 'error' | 'settings' | 'late' | 'clock' | 'untrusted' | 'notFresh'

const told: Record<ProviderProblem, Told> = {
  unreachable: 'away',
  other_issuer: 'settings',
  denied: 'cancelled',
  refused: 'error',
  client: 'settings',
  state: 'late',
  issuer: 'untrusted',
  audience: 'untrusted',
  signature: 'untrusted',
  algorithm: 'untrusted',
  nonce: 'untrusted',
  clock: 'clock',
  not_fresh: 'notFresh',
  token: 'untrusted',
  userinfo: 'untrusted',
}

export interface ProviderTexts {
  problems: Record<Told, (name: string) => string>
  failed: string
  goOn: string
  toSignIn: string
  toSecurity: string
  link: {
    title: string
    sameName(name: string, username: string): string
    sameAddress(name: string): string
    /** Several accounts have the address. */
    sameAddresses(name: string): string
    submit: string
    noPassword(name: string): string
    separateHint: string
    separate: string
  }
  notRegistered: { title: string; text(name: string): string }
  taken(name: string): string
  otherPerson(name: string): string
  notFromHere: string
  tooMany: string
}

export const providerTextsIn = (language: Language): ProviderTexts => texts[language]

/** The sentence for a problem; undefined if there is no such problem. */
export const problemTold = (
  { problems }: ProviderTexts,
  problem: string | undefined,
  name: string,
): string | undefined =>
  problem !== undefined && Object.hasOwn(told, problem)
    ? problems[told[problem as ProviderProblem]](name)
    : undefined

const english: ProviderTexts = {
  problems: {
    away: (name) => `${name} is not responding. Try again in a moment, or sign in another way.`,
    cancelled: (name) =>
      `${name} did not sign you in, because the sign-in was cancelled there. Try again, or sign in another way.`,
    error: (name) => `${name} reported an error. Try again, or sign in another way.`,
    settings: (name) =>
      `${name} and this flight log are not set up to work together. Please tell the person who runs this flight log.`,
    late: () => 'This sign-in has expired or was started in another browser. Please try again.',
    clock: (name) =>
      `The clocks of ${name} and of this server differ by more than a minute. Please tell the person who runs this flight log.`,
    untrusted: (name) =>
      `The response from ${name} could not be verified, so you were not signed in. Try again. If it happens again, tell the person who runs this flight log.`,
    notFresh: (name) =>
      `${name} did not ask you to sign in again. Confirm with your password or a passkey instead.`,
  },
  failed: 'That did not work',
  goOn: 'Go to Contrail',
  toSignIn: 'Back to sign-in',
  toSecurity: 'Settings: Security',
  link: {
    title: 'Is this your account?',
    sameName: (name, username) =>
      `There is an account “${username}” here that is not linked with ${name}. If it is yours, enter its password once to link them.`,
    sameAddress: (name) =>
      `There is an account here with the same e-mail address that is not linked with ${name}. If it is yours, enter its password once to link them.`,
    sameAddresses: (name) =>
      `There are accounts here with the same e-mail address that are not linked with ${name}. If one of them is yours, enter its username and password once to link it.`,
    submit: 'Link and sign in',
    noPassword: (name) =>
      `There is an account here with the same name or e-mail address, without a password. If it is yours, sign in to it as you usually do and link it with ${name} in Settings: Security.`,
    separateHint: 'If it belongs to someone else, you get an account of your own under another username.',
    separate: 'Create a separate account',
  },
  notRegistered: {
    title: 'No account yet',
    text: (name) =>
      `${name} knows you, but you have no account in this flight log. Ask the person who runs it for an invitation.`,
  },
  taken: (name) =>
    `This account at ${name} is linked to another account here. Sign in with that one and unlink it first, or choose another account at ${name}.`,
  otherPerson: (name) =>
    `This is not the account at ${name} that is linked to yours. Please try again with the linked one.`,
  notFromHere:
    'You can only link accounts in your settings, within five minutes of signing in or confirming that it is you.',
  tooMany: 'Too many attempts. Please try again in a minute.',
}

const german: ProviderTexts = {
  problems: {
    away: (name) =>
      `${name} antwortet nicht. Versuche es gleich noch einmal oder melde dich auf andere Weise an.`,
    cancelled: (name) =>
      `${name} hat dich nicht angemeldet: Dort wurde abgebrochen. Versuche es noch einmal oder melde dich auf andere Weise an.`,
    error: (name) =>
      `${name} hat einen Fehler gemeldet. Versuche es noch einmal oder melde dich auf andere Weise an.`,
    settings: (name) =>
      `${name} und dieses Fluglogbuch sind nicht aufeinander eingestellt. Bitte sag es der Person, die dieses Fluglogbuch betreibt.`,
    late: () =>
      'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Bitte versuche es noch einmal.',
    clock: (name) =>
      `Die Uhren von ${name} und diesem Server gehen mehr als eine Minute auseinander. Bitte sag es der Person, die dieses Fluglogbuch betreibt.`,
    untrusted: (name) =>
      `Die Antwort von ${name} ließ sich nicht bestätigen, deshalb wurdest du nicht angemeldet. Versuche es noch einmal; wenn es wieder geschieht, sag es der Person, die dieses Fluglogbuch betreibt.`,
    notFresh: (name) =>
      `${name} hat nicht verlangt, dass du dich erneut anmeldest. Bestätige es stattdessen mit deinem Passwort oder einem Passkey.`,
  },
  failed: 'Das hat nicht geklappt',
  goOn: 'Zu Contrail',
  toSignIn: 'Zurück zur Anmeldung',
  toSecurity: 'Einstellungen: Sicherheit',
  link: {
    title: 'Ist das dein Konto?',
    sameName: (name, username) =>
      `Hier gibt es ein Konto „${username}“, das nicht mit ${name} verknüpft ist. Wenn es deines ist, gib einmal sein Passwort ein, um beide zu verknüpfen.`,
    sameAddress: (name) =>
      `Hier gibt es ein Konto mit derselben E-Mail-Adresse, das nicht mit ${name} verknüpft ist. Wenn es deines ist, gib einmal sein Passwort ein, um beide zu verknüpfen.`,
    sameAddresses: (name) =>
      `Hier gibt es mehrere Konten mit derselben E-Mail-Adresse, die nicht mit ${name} verknüpft sind. Wenn eines davon deines ist, gib einmal seinen Benutzernamen und sein Passwort ein, um es zu verknüpfen.`,
    submit: 'Verknüpfen und anmelden',
    noPassword: (name) =>
      `Hier gibt es ein Konto mit demselben Namen oder derselben E-Mail-Adresse, das kein Passwort hat. Wenn es deines ist, melde dich dort wie gewohnt an und verknüpfe es unter Einstellungen: Sicherheit mit ${name}.`,
    separateHint:
      'Wenn es jemand anderem gehört, bekommst du ein eigenes Konto mit einem anderen Benutzernamen.',
    separate: 'Eigenes Konto anlegen',
  },
  notRegistered: {
    title: 'Noch kein Konto',
    text: (name) =>
      `${name} kennt dich, aber du hast kein Konto in diesem Fluglogbuch. Bitte die Person, die es betreibt, um eine Einladung.`,
  },
  taken: (name) =>
    `Dieses Konto bei ${name} ist hier mit einem anderen Konto verknüpft. Melde dich damit an und löse zuerst die Verknüpfung, oder wähle ein anderes Konto bei ${name}.`,
  otherPerson: (name) =>
    `Das war nicht das Konto bei ${name}, das mit deinem verknüpft ist. Bitte versuche es mit jenem noch einmal.`,
  notFromHere:
    'Konten werden nur in deinen Einstellungen verknüpft, innerhalb von fünf Minuten, nachdem du dich angemeldet oder ausgewiesen hast.',
  tooMany: 'Zu viele Versuche. Bitte versuche es in einer Minute noch einmal.',
}

const french: ProviderTexts = {
  problems: {
    away: (name) => `${name} ne répond pas. Réessayez dans un instant ou connectez-vous autrement.`,
    cancelled: (name) =>
      `${name} ne vous a pas connecté : la demande y a été annulée. Réessayez ou connectez-vous autrement.`,
    error: (name) => `${name} a signalé une erreur. Réessayez ou connectez-vous autrement.`,
    settings: (name) =>
      `${name} et ce carnet de vol ne sont pas configurés l’un pour l’autre. Veuillez prévenir la personne qui gère ce carnet de vol.`,
    late: () => 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Veuillez réessayer.',
    clock: (name) =>
      `Les horloges de ${name} et de ce serveur diffèrent de plus d’une minute. Veuillez prévenir la personne qui gère ce carnet de vol.`,
    untrusted: (name) =>
      `La réponse de ${name} n’a pas pu être vérifiée, vous n’avez donc pas été connecté. Réessayez ; si cela se reproduit, prévenez la personne qui gère ce carnet de vol.`,
    notFresh: (name) =>
      `${name} ne vous a pas demandé de vous reconnecter. Confirmez plutôt avec votre mot de passe ou une clé d’accès.`,
  },
  failed: 'Cela n’a pas fonctionné',
  goOn: 'Aller à Contrail',
  toSignIn: 'Retour à la connexion',
  toSecurity: 'Réglages : Sécurité',
  link: {
    title: 'Est-ce votre compte ?',
    sameName: (name, username) =>
      `Il existe ici un compte « ${username} » qui n’est pas lié à ${name}. S’il est à vous, saisissez une fois son mot de passe pour les lier.`,
    sameAddress: (name) =>
      `Il existe ici un compte avec la même adresse e-mail qui n’est pas lié à ${name}. S’il est à vous, saisissez une fois son mot de passe pour les lier.`,
    sameAddresses: (name) =>
      `Il existe ici plusieurs comptes avec la même adresse e-mail qui ne sont pas liés à ${name}. Si l’un d’eux est à vous, saisissez une fois son nom d’utilisateur et son mot de passe pour le lier.`,
    submit: 'Lier et se connecter',
    noPassword: (name) =>
      `Il existe ici un compte avec le même nom ou la même adresse e-mail, sans mot de passe. S’il est à vous, connectez-vous-y comme d’habitude et liez-le à ${name} dans Réglages : Sécurité.`,
    separateHint:
      'S’il appartient à quelqu’un d’autre, vous obtenez votre propre compte sous un autre nom d’utilisateur.',
    separate: 'Créer un compte séparé',
  },
  notRegistered: {
    title: 'Pas encore de compte',
    text: (name) =>
      `${name} vous connaît, mais vous n’avez pas de compte dans ce carnet de vol. Demandez une invitation à la personne qui le gère.`,
  },
  taken: (name) =>
    `Ce compte chez ${name} est lié à un autre compte ici. Connectez-vous avec celui-ci et supprimez d’abord le lien, ou choisissez un autre compte chez ${name}.`,
  otherPerson: (name) =>
    `Ce n’était pas le compte chez ${name} qui est lié au vôtre. Veuillez réessayer avec celui-ci.`,
  notFromHere:
    'Les comptes se lient uniquement dans vos réglages, dans les cinq minutes après vous être connecté ou avoir confirmé votre identité.',
  tooMany: 'Trop de tentatives. Veuillez réessayer dans une minute.',
}

const texts: Record<Language, ProviderTexts> = { en: english, de: german, fr: french }
