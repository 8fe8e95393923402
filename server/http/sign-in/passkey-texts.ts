// The texts of the passkey button and its script, in each language.
import type { Language } from '../../domain/languages.ts'

interface PasskeyTexts {
  /** Shown on the page that the button leads to if its script did not run. */
  needsScript: string
  /** The person closed the browser's dialog or had no passkey to choose. */
  cancelled: string
  refused: string
  expired: string
  /** `{time}` is the time left. */
  wait: string
  unsupported: string
  failed: string
}

export const passkeyTexts: Record<Language, PasskeyTexts> = {
  en: {
    needsScript:
      'Passkeys need JavaScript, which did not run on this page. Sign in another way, or try again.',
    cancelled: 'No passkey was used. Try again, or sign in another way.',
    refused:
      'This passkey was not accepted. If it was removed from your account, remove it from your device too.',
    expired: 'That took too long. Please try again.',
    wait: 'Too many attempts. Try again in {time}.',
    unsupported: 'This browser does not support passkeys.',
    failed: 'Signing in with a passkey did not work. Please try again.',
  },
  de: {
    needsScript:
      'Passkeys brauchen JavaScript, das auf dieser Seite nicht lief. Melde dich anders an oder versuche es noch einmal.',
    cancelled: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder melde dich anders an.',
    refused:
      'Dieser Passkey wurde nicht angenommen. Falls er aus deinem Konto entfernt wurde, entferne ihn auch auf deinem Gerät.',
    expired: 'Das hat zu lange gedauert. Bitte versuche es noch einmal.',
    wait: 'Zu viele Versuche. Versuche es in {time} wieder.',
    unsupported: 'Dieser Browser unterstützt keine Passkeys.',
    failed: 'Die Anmeldung mit einem Passkey hat nicht geklappt. Bitte versuche es noch einmal.',
  },
  fr: {
    needsScript:
      'Les clés d’accès nécessitent JavaScript, qui n’a pas été exécuté sur cette page. Connectez-vous autrement ou réessayez.',
    cancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous autrement.',
    refused:
      'Cette clé d’accès n’a pas été acceptée. Si elle a été retirée de votre compte, supprimez-la aussi de votre appareil.',
    expired: 'Cela a pris trop de temps. Veuillez réessayer.',
    wait: 'Trop de tentatives. Réessayez dans {time}.',
    unsupported: 'Ce navigateur ne prend pas en charge les clés d’accès.',
    failed: 'La connexion avec une clé d’accès n’a pas fonctionné. Veuillez réessayer.',
  },
}
