// The texts of the page for the second step of a sign-in, in each language.
import type { Language } from '../../domain/languages.ts'
import type { PageTexts } from './texts.ts'

interface SecondFactorTexts {
  title: string
  lead: string
  code: string
  accepted: string
  trust: string
  /** The contract fixes the English word. */
  submit: string
  useRecoveryCode: string
  usePasskey: string
  back: string
  recovery: { title: string; lead: string; label: string; useApp: string }
  again: { title: string; submit: string }
  reasons: PageTexts['reasons']
}

const english: SecondFactorTexts = {
  title: 'Enter the six digits',
  lead: 'Your authenticator app shows them for Contrail.',
  code: 'Code',
  accepted: 'Password accepted',
  trust: 'Trust this browser for 30 days',
  submit: 'Verify',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  back: 'Back to sign in',
  recovery: {
    title: 'Enter a recovery code',
    lead: 'You got ten of them when you set up the second factor. Each works once.',
    label: 'Recovery code',
    useApp: 'Use the authenticator app',
  },
  again: { title: 'Please sign in again', submit: 'Sign in' },
  reasons: {},
}

const german: SecondFactorTexts = {
  title: 'Gib die sechs Ziffern ein',
  lead: 'Deine Authenticator-App zeigt sie für Contrail an.',
  code: 'Code',
  accepted: 'Passwort stimmt',
  trust: 'Diesem Browser 30 Tage lang vertrauen',
  submit: 'Prüfen',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  back: 'Zurück zur Anmeldung',
  recovery: {
    title: 'Gib einen Wiederherstellungscode ein',
    lead: 'Du hast zehn davon bekommen, als du den zweiten Faktor eingerichtet hast. Jeder gilt einmal.',
    label: 'Wiederherstellungscode',
    useApp: 'Authenticator-App verwenden',
  },
  again: { title: 'Bitte melde dich noch einmal an', submit: 'Anmelden' },
  reasons: {
    second_factor_wrong: () => 'Der Code ist falsch oder wurde schon benutzt.',
    second_factor_expired: () =>
      'Die Zeit für den Code ist abgelaufen. Melde dich noch einmal mit deinem Passwort an.',
    second_factor_unreadable: () =>
      'Dieser Server hat das Geheimnis deiner Authenticator-App verloren. Verwende einen Wiederherstellungscode, oder bitte die Verwaltung um einen Link zum Zurücksetzen.',
  },
}

const french: SecondFactorTexts = {
  title: 'Saisissez les six chiffres',
  lead: 'Votre application d’authentification les affiche pour Contrail.',
  code: 'Code',
  accepted: 'Mot de passe accepté',
  trust: 'Faire confiance à ce navigateur pendant 30 jours',
  submit: 'Vérifier',
  useRecoveryCode: 'Utiliser un code de secours',
  usePasskey: 'Utiliser une clé d’accès',
  back: 'Retour à la connexion',
  recovery: {
    title: 'Saisissez un code de secours',
    lead: 'Vous en avez reçu dix lors de la configuration du second facteur. Chacun ne sert qu’une fois.',
    label: 'Code de secours',
    useApp: 'Utiliser l’application d’authentification',
  },
  again: { title: 'Veuillez vous reconnecter', submit: 'Se connecter' },
  reasons: {
    second_factor_wrong: () => 'Le code est incorrect ou a déjà été utilisé.',
    second_factor_expired: () =>
      'Le délai pour saisir le code est écoulé. Connectez-vous de nouveau avec votre mot de passe.',
    second_factor_unreadable: () =>
      'Ce serveur a perdu le secret de votre application d’authentification. Utilisez un code de secours, ou demandez un lien de réinitialisation à un administrateur.',
  },
}

export const secondFactorTexts: Record<Language, SecondFactorTexts> = { en: english, de: german, fr: french }
