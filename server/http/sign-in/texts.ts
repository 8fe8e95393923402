// The texts of the sign-in and set-up pages, in each language. German uses "du", French "vous", as in the web app.
import type { Language } from '../../domain/languages.ts'
import { messageOf, type PlainReason, type Reason } from '../../domain/reasons.ts'

export type FieldName = 'displayName' | 'username' | 'password' | 'setupToken'

export interface PageTexts {
  language: Language
  labels: Record<FieldName, string>
  awaits: { title: string; text: string }
  expired: string
  /** Above a form with errors, which are shown at their fields. */
  wrong(labels: readonly string[]): string
  /** The page never contains the password, so the field is empty when the form is shown again. */
  passwordAgain: string
  signIn: {
    title: string
    description: string
    lead(host: string): string
    /** Follows the name of the app. */
    appWaits: string
    passkey: string
    noPasskeys: string
    provider(name: string): string
    providerDown(name: string): string
    or: string
    submit: string
    /** Opens the form that only the owner can use. */
    owner: string
    ownerHint: string
    cannotSignIn: string
    /** Before and after the remaining time. */
    waitFor: readonly [string, string]
    waitOver: string
  }
  setUp: { title: string; welcome: string; lead: string; hints: Record<FieldName, string>; submit: string }
  /** Messages for refused forms; any other reason is shown in English. */
  reasons: Partial<Record<Reason, (params: Numbers) => string>>
}
type Numbers = Readonly<Record<string, number>>

export const textsIn = (language: Language): PageTexts => texts[language]

/** The problem in one or more sentences. */
export function explained(
  { reasons }: PageTexts,
  { reason, params, message }: { reason: Reason; params?: object | undefined; message?: string },
): string {
  const translated = reasons[reason]
  if (translated) return translated((params ?? {}) as Numbers)
  // Messages of the catalogue may lack the final full stop.
  const text = message ?? messageOf(reason as PlainReason)
  return text.endsWith('.') ? text : `${text}.`
}

const listIn = (language: Language) => {
  const format = new Intl.ListFormat(language)
  return (items: readonly string[]): string => format.format(items)
}
const lists = { en: listIn('en'), de: listIn('de'), fr: listIn('fr') } satisfies Record<Language, unknown>

const english: PageTexts = {
  language: 'en',
  labels: {
    displayName: 'Your name',
    username: 'Username',
    password: 'Password',
    setupToken: 'Set-up token',
  },
  awaits: { title: 'Every flight you have taken, on one globe', text: 'Kept on a server of your own' },
  expired: 'This page has expired. Please try again.',
  wrong: (labels) => `Please check: ${lists.en(labels)}.`,
  passwordAgain: 'Enter your password again.',
  signIn: {
    title: 'Sign in',
    description: 'Sign in to Contrail, a flight log.',
    lead: (host) => `to the flight log at ${host}`,
    appWaits: 'wants to connect to your flight log. Sign in to see what it requests.',
    passkey: 'Sign in with a passkey',
    noPasskeys: 'Passkeys need an https address, and this log does not have one.',
    provider: (name) => `Sign in with ${name}`,
    providerDown: (name) => `${name} is not responding`,
    or: 'or with your password',
    submit: 'Sign in',
    owner: 'Owner',
    ownerHint: 'Only the owner signs in with a password here.',
    cannotSignIn: 'Can’t sign in? The person who runs this log can give you a link.',
    waitFor: ['Too many attempts. Try again in ', '.'],
    waitOver: 'You can try again now.',
  },
  setUp: {
    title: 'Set up',
    welcome: 'Welcome to Contrail',
    lead: 'Create the owner’s account. You can add other people later.',
    hints: {
      displayName: 'Shown to others on flights.',
      username: '3 to 20 letters, digits, dots, underscores or hyphens.',
      password: 'At least 8 characters.',
      setupToken: 'Printed in the server’s log when it started, so that only its operator can set it up.',
    },
    submit: 'Create account',
  },
  reasons: {},
}

const german: PageTexts = {
  language: 'de',
  labels: {
    displayName: 'Dein Name',
    username: 'Benutzername',
    password: 'Passwort',
    setupToken: 'Einrichtungs-Token',
  },
  awaits: { title: 'Alle deine Flüge auf einem Globus', text: 'Auf einem Server, der dir gehört' },
  expired: 'Diese Seite ist abgelaufen. Bitte versuche es noch einmal.',
  wrong: (labels) => `Bitte prüfe: ${lists.de(labels)}.`,
  passwordAgain: 'Gib dein Passwort noch einmal ein.',
  signIn: {
    title: 'Anmelden',
    description: 'Melde dich bei Contrail an, einem Fluglogbuch.',
    lead: (host) => `beim Fluglogbuch auf ${host}`,
    appWaits: 'möchte sich mit deinem Fluglogbuch verbinden. Melde dich an, um zu sehen, was verlangt wird.',
    passkey: 'Mit Passkey anmelden',
    noPasskeys: 'Passkeys brauchen eine https-Adresse; dieses Logbuch ist nicht über eine geöffnet.',
    provider: (name) => `Mit ${name} anmelden`,
    providerDown: (name) => `${name} antwortet nicht`,
    or: 'oder mit deinem Passwort',
    submit: 'Anmelden',
    owner: 'Eigentümer',
    ownerHint: 'Mit Passwort meldet sich hier nur an, wem diese Installation gehört.',
    cannotSignIn: 'Du kannst dich nicht anmelden? Wer dieses Logbuch betreibt, kann dir einen Link geben.',
    waitFor: ['Zu viele Versuche. Versuche es in ', ' wieder.'],
    waitOver: 'Du kannst es jetzt wieder versuchen.',
  },
  setUp: {
    title: 'Einrichten',
    welcome: 'Willkommen bei Contrail',
    lead: 'Lege das Konto an, dem diese Installation gehört. Weitere Personen kannst du später hinzufügen.',
    hints: {
      displayName: 'Wird anderen bei Flügen angezeigt.',
      username: '3 bis 20 Buchstaben, Ziffern, Punkte, Unterstriche oder Bindestriche.',
      password: 'Mindestens 8 Zeichen.',
      setupToken:
        'Steht seit dem Start im Protokoll des Servers, damit nur einrichten kann, wer ihn betreibt.',
    },
    submit: 'Konto anlegen',
  },
  reasons: {
    required: () => 'Das ist ein Pflichtfeld.',
    not_storable: () => 'Das enthält Zeichen, die nicht gespeichert werden können. Entferne sie.',
    too_short: ({ min }) => `Mindestens ${min} Zeichen.`,
    too_long: ({ max }) => `Höchstens ${max} Zeichen.`,
    username_form: () => 'Verwende nur Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche.',
    name_has_invisible: () => 'Entferne unsichtbare Zeichen und solche, die die Leserichtung ändern.',
    name_has_no_visible: () => 'Verwende mindestens ein sichtbares Zeichen.',
    wrong_credentials: () => 'Benutzername oder Passwort ist falsch.',
    passwords_off: () => 'Mit Passwort meldet sich hier nur an, wem diese Installation gehört.',
    too_many_attempts: ({ seconds }) => `Zu viele Versuche. Versuche es in ${waitIn('de', seconds)} wieder.`,
    already_set_up: () => 'Dieses Contrail ist bereits eingerichtet.',
    setup_token_wrong: () => 'Das Einrichtungs-Token ist falsch. Du findest es im Protokoll des Servers.',
  },
}

const french: PageTexts = {
  language: 'fr',
  labels: {
    displayName: 'Votre nom',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    setupToken: 'Jeton de configuration',
  },
  awaits: { title: 'Tous vos vols sur un même globe', text: 'Sur un serveur qui vous appartient' },
  expired: 'Cette page a expiré. Veuillez réessayer.',
  wrong: (labels) => `Veuillez vérifier : ${lists.fr(labels)}.`,
  passwordAgain: 'Saisissez de nouveau votre mot de passe.',
  signIn: {
    title: 'Se connecter',
    description: 'Connectez-vous à Contrail, un carnet de vol.',
    lead: (host) => `au carnet de vol sur ${host}`,
    appWaits: 'souhaite accéder à votre carnet de vol. Connectez-vous pour voir ce qui est demandé.',
    passkey: 'Se connecter avec une clé d’accès',
    noPasskeys:
      'Les clés d’accès exigent une adresse https ; ce carnet de vol n’est pas ouvert par une telle adresse.',
    provider: (name) => `Se connecter avec ${name}`,
    providerDown: (name) => `${name} ne répond pas`,
    or: 'ou avec votre mot de passe',
    submit: 'Se connecter',
    owner: 'Propriétaire',
    ownerHint: 'Ici, seul le propriétaire se connecte par mot de passe.',
    cannotSignIn: 'Aucun accès ? La personne qui gère ce carnet de vol peut vous donner un lien.',
    waitFor: ['Trop de tentatives. Réessayez dans ', '.'],
    waitOver: 'Vous pouvez réessayer.',
  },
  setUp: {
    title: 'Configurer',
    welcome: 'Bienvenue dans Contrail',
    lead: 'Créez le compte du propriétaire. Vous pourrez ajouter d’autres personnes plus tard.',
    hints: {
      displayName: 'Affiché aux autres sur les vols.',
      username: '3 à 20 lettres, chiffres, points, tirets bas ou traits d’union.',
      password: 'Au moins 8 caractères.',
      setupToken:
        'Inscrit dans le journal du serveur à son démarrage, afin que seule la personne qui l’exploite puisse le configurer.',
    },
    submit: 'Créer le compte',
  },
  reasons: {
    required: () => 'Ce champ est obligatoire.',
    not_storable: () =>
      'Ce texte contient des caractères qui ne peuvent pas être enregistrés. Supprimez-les.',
    too_short: ({ min }) => `Saisissez au moins ${min} caractères.`,
    too_long: ({ max }) => `Saisissez au plus ${max} caractères.`,
    username_form: () =>
      'Utilisez uniquement des lettres, des chiffres, des points, des tirets bas et des traits d’union.',
    name_has_invisible: () => 'Supprimez les caractères invisibles et ceux qui changent le sens de lecture.',
    name_has_no_visible: () => 'Utilisez au moins un caractère visible.',
    wrong_credentials: () => 'Le nom d’utilisateur ou le mot de passe est incorrect.',
    passwords_off: () => 'Ici, seul le propriétaire se connecte par mot de passe.',
    too_many_attempts: ({ seconds }) => `Trop de tentatives. Réessayez dans ${waitIn('fr', seconds)}.`,
    already_set_up: () => 'Cette instance de Contrail est déjà configurée.',
    setup_token_wrong: () =>
      'Le jeton de configuration est incorrect. Vous le trouverez dans le journal du serveur.',
  },
}

/** In whole minutes if longer than two. */
function waitIn(language: Language, seconds = 0): string {
  const inSeconds = seconds <= 120
  const format = { style: 'unit', unit: inSeconds ? 'second' : 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, format).format(inSeconds ? seconds : Math.ceil(seconds / 60))
}

const texts: Record<Language, PageTexts> = { en: english, de: german, fr: french }
