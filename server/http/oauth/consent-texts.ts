// The texts of the authorization server's pages, in each language.
import { type Scope, scopeDescription } from '../../domain/access/access.ts'
import type { Language } from '../../domain/languages.ts'

type Area =
  | 'ownFlights'
  | 'allFlights'
  | 'statistics'
  | 'countries'
  | 'shares'
  | 'profile'
  | 'reference'
  | 'people'

export interface ConsentTexts {
  title: string
  /** Follows the name of the app. */
  wants: string
  /** Before and after the name of the person. */
  lead: readonly [string, string]
  requests: string
  requestsNothing: string
  more: string
  leftOut(permissions: string): string
  deny: string
  approve: string
  ends: string
  identifiedBy: string
  redirectsTo: string
  accessTo: string
  thisServer: string
  runsHere: string
  /** Before and after the name of the app. */
  couldBeAny: readonly [string, string]
  connected: string
  newOnes: string
  noneNew: string
  replaces: string
  isNew: string
  read: string
  write: string
  areas: Record<Area, string>
  /** As in the settings of the web app; English uses the scope catalogue. */
  scopes?: Record<Scope, string>
  cannotConnect: string
  /** Precedes the error of the app, which is in English for its developers. */
  appFault: string
  returnTo(host: string): string
  returnHint: string
  notSignedIn: string
  notSignedInText: string
  expired: string
  expiredText: string
}

export const describedIn = ({ scopes }: ConsentTexts, scope: Scope): string =>
  scopes?.[scope] ?? scopeDescription(scope)

export const appFaultIn = (language: Language, { message }: { message: string }): string =>
  `${consentTexts[language].appFault} ${message}`.trim()

export const consentTexts: Record<Language, ConsentTexts> = {
  en: {
    title: 'Allow access',
    wants: 'wants to connect',
    lead: ['You are signed in as ', '. Choose what this app may do with your flight log.'],
    requests: 'It requests permission to',
    requestsNothing: 'The app does not ask for anything specific. Choose below what it may do.',
    more: 'Allow more than it requests',
    leftOut: (permissions) => `Left out, because your role does not permit it: ${permissions}.`,
    deny: 'Deny',
    approve: 'Approve',
    ends: 'You can end this access at any time in Settings under Connected apps.',
    identifiedBy: 'App identified by',
    redirectsTo: 'Redirects to',
    accessTo: 'Gives access to',
    thisServer: 'This server',
    runsHere: 'This app runs on your own computer.',
    couldBeAny: [
      'Any program there could call itself “',
      '”. Approve only if you just started this connection yourself.',
    ],
    connected: 'This app is already connected.',
    newOnes: 'What it asks for in addition is marked “new”.',
    noneNew: 'It asks for nothing new.',
    replaces: 'Your choice here replaces the earlier one.',
    isNew: 'new',
    read: 'read',
    write: 'write',
    areas: {
      ownFlights: 'Your flights',
      allFlights: 'All users’ flights',
      statistics: 'Statistics and tracks',
      countries: 'Visited countries',
      shares: 'Public shares',
      profile: 'Profile and preferences',
      reference: 'Reference data',
      people: 'People and roles',
    },
    cannotConnect: 'This app cannot connect',
    appFault: '',
    returnTo: (host) => `Return to ${host}`,
    returnHint: 'No user of this server has approved the app. Return to it only if you came from there.',
    notSignedIn: 'You are not signed in',
    notSignedInText: 'Sign in, then start again in the app.',
    expired: 'This request has expired',
    expiredText:
      'It was already decided, took too long, or belongs to another browser or user. Start again in the app.',
  },
  de: {
    title: 'Zugriff erlauben',
    wants: 'möchte sich verbinden',
    lead: ['Du bist als ', ' angemeldet. Wähle, was diese App mit deinem Fluglogbuch tun darf.'],
    requests: 'Sie verlangt diese Rechte',
    requestsNothing: 'Die App verlangt nichts Bestimmtes. Wähle unten, was sie darf.',
    more: 'Mehr erlauben, als sie verlangt',
    leftOut: (permissions) => `Ausgelassen, weil deine Rolle es nicht erlaubt: ${permissions}.`,
    deny: 'Ablehnen',
    approve: 'Zulassen',
    ends: 'Du kannst diesen Zugriff jederzeit in den Einstellungen unter „Verbundene Apps“ beenden.',
    identifiedBy: 'App bestätigt durch',
    redirectsTo: 'Leitet weiter an',
    accessTo: 'Gibt Zugriff auf',
    thisServer: 'Diesen Server',
    runsHere: 'Diese App läuft auf deinem eigenen Rechner.',
    couldBeAny: [
      'Jedes Programm dort könnte sich „',
      '“ nennen. Lass sie nur zu, wenn du diese Verbindung gerade selbst begonnen hast.',
    ],
    connected: 'Diese App ist schon verbunden.',
    newOnes: 'Was sie zusätzlich verlangt, ist mit „neu“ markiert.',
    noneNew: 'Sie verlangt nichts Neues.',
    replaces: 'Deine Wahl hier ersetzt die frühere.',
    isNew: 'neu',
    read: 'lesen',
    write: 'ändern',
    areas: {
      ownFlights: 'Deine Flüge',
      allFlights: 'Flüge aller Personen',
      statistics: 'Statistik und Flugwege',
      countries: 'Besuchte Länder',
      shares: 'Öffentliche Freigaben',
      profile: 'Profil und Einstellungen',
      reference: 'Stammdaten',
      people: 'Personen und Rollen',
    },
    scopes: {
      'flight.read.own': 'Die Flüge sehen, auf denen du bist',
      'flight.read.any': 'Alle Flüge dieser Instanz sehen',
      'flight.create.own': 'Flüge hinzufügen, auf denen du bist',
      'flight.create.any': 'Flüge für andere hinzufügen',
      'flight.update.own': 'Die Flüge bearbeiten, auf denen du bist',
      'flight.update.any': 'Alle Flüge dieser Instanz bearbeiten',
      'flight.delete.own': 'Die Flüge löschen, auf denen du bist',
      'flight.delete.any': 'Alle Flüge dieser Instanz löschen',
      'flight.export.own': 'Die Flüge exportieren, auf denen du bist',
      'flight.export.any': 'Alle Flüge dieser Instanz exportieren',
      'flight.passengers.manage.own': 'Ändern, wer auf deinen Flügen ist',
      'flight.passengers.manage.any': 'Ändern, wer auf allen Flügen ist',
      'users.directory.read': 'Die Personen dieser Instanz auflisten',
      'roles.manage':
        'Rollen auflisten, erstellen, ändern und löschen: anderen geben, was hier gewählt ist, und jedes Recht nehmen',
      'profile.read': 'Dein Profil, deine Rolle und deine Rechte sehen',
      'preferences.write': 'Deine Einstellungen ändern',
      'reference_data.read': 'Flughäfen, Airlines und Flugzeuge nachschlagen',
      'custom_fields.read': 'Sehen, welche eigenen Felder es gibt',
      'stats.read': 'Statistik sehen',
      'tracks.read': 'Aufgezeichnete Flugwege sehen',
      'tracks.write': 'Flugwege speichern und löschen',
      'visited_countries.read': 'Deine besuchten Länder sehen',
      'visited_countries.write': 'Deine besuchten Länder ändern',
      'shares.read': 'Deine öffentlichen Freigaben sehen',
      'shares.write': 'Deine Flüge veröffentlichen: öffentliche Freigaben erstellen, ändern und löschen',
      'flight.import.own': 'Flüge importieren, bei denen du dabei bist',
      'flight.import.any': 'Flüge für andere importieren',
      'webhooks.manage': 'Deine Änderungen an andere Programme senden',
      'feeds.manage': 'Deine Kalender- und Kartenfeeds erstellen, ändern und löschen',
    },
    cannotConnect: 'Diese App kann sich nicht verbinden',
    appFault: 'Die Anfrage der App ist fehlerhaft:',
    returnTo: (host) => `Zurück zu ${host}`,
    returnHint:
      'Auf diesem Server hat noch kein Konto die App zugelassen. Kehre nur zurück, wenn du von dort kommst.',
    notSignedIn: 'Du bist nicht angemeldet',
    notSignedInText: 'Melde dich an und beginne dann in der App noch einmal.',
    expired: 'Diese Anfrage ist abgelaufen',
    expiredText:
      'Sie wurde schon entschieden, hat zu lange gedauert oder gehört zu einem anderen Browser oder Konto. Beginne in der App noch einmal.',
  },
  fr: {
    title: 'Autoriser l’accès',
    wants: 'souhaite se connecter',
    lead: [
      'Vous êtes connecté en tant que ',
      '. Choisissez ce que cette application peut faire avec votre carnet de vol.',
    ],
    requests: 'Elle demande à pouvoir',
    requestsNothing: 'L’application ne demande rien de précis. Choisissez ci-dessous ce qu’elle peut faire.',
    more: 'Autoriser plus que ce qu’elle demande',
    leftOut: (permissions) => `Laissé de côté, car votre rôle ne le permet pas : ${permissions}.`,
    deny: 'Refuser',
    approve: 'Autoriser',
    ends: 'Vous pouvez mettre fin à cet accès à tout moment dans les réglages, sous « Applications connectées ».',
    identifiedBy: 'Application identifiée par',
    redirectsTo: 'Redirige vers',
    accessTo: 'Donne accès à',
    thisServer: 'Ce serveur',
    runsHere: 'Cette application fonctionne sur votre propre ordinateur.',
    couldBeAny: [
      'N’importe quel programme pourrait s’y appeler « ',
      ' ». N’autorisez que si vous venez de lancer cette connexion vous-même.',
    ],
    connected: 'Cette application est déjà connectée.',
    newOnes: 'Ce qu’elle demande en plus porte la mention « nouveau ».',
    noneNew: 'Elle ne demande rien de nouveau.',
    replaces: 'Votre choix ici remplace le précédent.',
    isNew: 'nouveau',
    read: 'lecture',
    write: 'écriture',
    areas: {
      ownFlights: 'Vos vols',
      allFlights: 'Vols de tous',
      statistics: 'Statistiques et trajets',
      countries: 'Pays visités',
      shares: 'Partages publics',
      profile: 'Profil et préférences',
      reference: 'Données de référence',
      people: 'Personnes et rôles',
    },
    scopes: {
      'flight.read.own': 'Voir les vols où vous figurez',
      'flight.read.any': 'Voir tous les vols de cette instance',
      'flight.create.own': 'Ajouter des vols où vous figurez',
      'flight.create.any': 'Ajouter des vols pour d’autres personnes',
      'flight.update.own': 'Modifier les vols où vous figurez',
      'flight.update.any': 'Modifier tous les vols de cette instance',
      'flight.delete.own': 'Supprimer les vols où vous figurez',
      'flight.delete.any': 'Supprimer tous les vols de cette instance',
      'flight.export.own': 'Exporter les vols où vous figurez',
      'flight.export.any': 'Exporter tous les vols de cette instance',
      'flight.passengers.manage.own': 'Modifier les passagers des vols où vous figurez',
      'flight.passengers.manage.any': 'Modifier les passagers de tous les vols',
      'users.directory.read': 'Lister les utilisateurs de cette instance',
      'roles.manage':
        'Lister, créer, modifier et supprimer des rôles : donner à d’autres ce qui est choisi ici, et retirer toute autorisation',
      'profile.read': 'Voir votre profil, votre rôle et vos autorisations',
      'preferences.write': 'Modifier vos préférences',
      'reference_data.read': 'Rechercher des aéroports, des compagnies et des appareils',
      'custom_fields.read': 'Voir quels champs personnalisés existent',
      'stats.read': 'Voir les statistiques',
      'tracks.read': 'Voir les tracés de vol enregistrés',
      'tracks.write': 'Enregistrer et supprimer des tracés de vol',
      'visited_countries.read': 'Voir les pays que vous avez visités',
      'visited_countries.write': 'Modifier les pays que vous avez visités',
      'shares.read': 'Voir vos partages publics',
      'shares.write': 'Publier vos vols : créer, modifier et supprimer des partages publics',
      'flight.import.own': 'Importer des vols où vous figurez',
      'flight.import.any': 'Importer des vols pour d’autres personnes',
      'webhooks.manage': 'Envoyer vos modifications à d’autres programmes',
      'feeds.manage': 'Créer, modifier et supprimer vos flux de calendrier et de carte',
    },
    cannotConnect: 'Cette application ne peut pas se connecter',
    appFault: 'La demande de l’application est incorrecte :',
    returnTo: (host) => `Retourner à ${host}`,
    returnHint:
      'Aucun utilisateur de ce serveur n’a approuvé l’application. N’y retournez que si vous en venez.',
    notSignedIn: 'Vous n’êtes pas connecté',
    notSignedInText: 'Connectez-vous, puis recommencez dans l’application.',
    expired: 'Cette demande a expiré',
    expiredText:
      'Elle a déjà été traitée, a pris trop de temps, ou appartient à un autre navigateur ou compte. Recommencez dans l’application.',
  },
}
