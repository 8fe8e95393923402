// The texts of the error pages, in each language. English pages show the detailed reason; other languages show the kind of
// error.
import type { Language } from '../domain/languages.ts'

interface ErrorTexts {
  didNotWork: string
  unavailable: string
  tryAgain: string
  failed: string
  failedText: string
  /** By status; any other is a malformed request. */
  reasons: Readonly<Record<number, string>>
  malformed: string
  nothingShared: string
  nothingSharedText: string
}

export const errorTexts: Record<Language, ErrorTexts> = {
  en: {
    didNotWork: 'That did not work',
    unavailable: 'Not available right now',
    tryAgain: 'Please try again in a moment.',
    failed: 'Something went wrong',
    failedText: 'It has been logged. Please try again.',
    reasons: { 413: 'The submitted data is too large.' },
    malformed: 'The request is malformed.',
    nothingShared: 'Nothing is shared here',
    nothingSharedText: 'This address is wrong, or the share has expired or was withdrawn.',
  },
  de: {
    didNotWork: 'Das hat nicht funktioniert',
    unavailable: 'Gerade nicht erreichbar',
    tryAgain: 'Bitte versuche es gleich noch einmal.',
    failed: 'Etwas ist schiefgegangen',
    failedText: 'Der Fehler wurde protokolliert. Bitte versuche es noch einmal.',
    reasons: {
      403: 'Die Anfrage kam von einer anderen Website oder ist nicht erlaubt.',
      404: 'Diese Adresse gibt es nicht.',
      405: 'Diese Seite kann so nicht aufgerufen werden.',
      413: 'Die gesendeten Daten sind zu groß.',
      429: 'Zu viele Anfragen. Bitte warte einen Moment.',
    },
    malformed: 'Die Anfrage ist fehlerhaft.',
    nothingShared: 'Hier ist nichts geteilt',
    nothingSharedText: 'Die Adresse ist falsch, oder die Freigabe ist abgelaufen oder wurde zurückgezogen.',
  },
  fr: {
    didNotWork: 'Cela n’a pas fonctionné',
    unavailable: 'Indisponible pour le moment',
    tryAgain: 'Veuillez réessayer dans un instant.',
    failed: 'Une erreur s’est produite',
    failedText: 'Elle a été enregistrée. Veuillez réessayer.',
    reasons: {
      403: 'La demande vient d’un autre site ou n’est pas autorisée.',
      404: 'Cette adresse n’existe pas.',
      405: 'Cette page ne peut pas être ouverte ainsi.',
      413: 'Les données envoyées sont trop volumineuses.',
      429: 'Trop de demandes. Veuillez patienter un instant.',
    },
    malformed: 'La demande est mal formée.',
    nothingShared: 'Rien n’est partagé ici',
    nothingSharedText: 'L’adresse est incorrecte, ou le partage a expiré ou a été retiré.',
  },
}
