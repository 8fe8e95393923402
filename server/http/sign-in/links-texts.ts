// The texts of the pages for invitations, reset links and forgotten passwords, in each language.
import type { Language } from '../../domain/languages.ts'
import type { PageTexts } from './texts.ts'

interface LinkTexts {
  invite: {
    title: string
    lead(host: string, inviter: string | undefined): string
    submit: string
    usernameHint: string
    /** Above the form. */
    signedIn(name: string): string
  }
  reset: { title: string; lead(username: string): string; hint: string; ends: string; submit: string }
  /** Above the sign-in form, after a new password was set. */
  isSet: string
  dead: { title: string; invite: string; reset: string; signIn: string }
  forgot: {
    /** On the sign-in page. */
    link: string
    title: string
    lead: string
    submit: string
    sentTitle: string
    sent: string
    else: string
    back: string
  }
  /** Reasons that only these forms have. */
  reasons: PageTexts['reasons']
}

export const linkTexts: Record<Language, LinkTexts> = {
  en: {
    invite: {
      title: 'Create your account',
      lead: (host, inviter) =>
        inviter === undefined
          ? `You are invited to the flight log at ${host}.`
          : `${inviter} invites you to the flight log at ${host}.`,
      submit: 'Create account',
      usernameHint: 'Used to sign in. 3 to 20 letters, digits, dots, underscores or hyphens.',
      signedIn: (name) => `You are signed in as ${name}. Creating an account here signs you out.`,
    },
    reset: {
      title: 'Set a new password',
      lead: (username) => `for the account ${username}`,
      hint: 'At least 8 characters.',
      ends: 'Setting a new password signs you out everywhere.',
      submit: 'Set password',
    },
    isSet: 'Your new password is set. Sign in with it.',
    dead: {
      title: 'This link no longer works',
      invite:
        'An invitation works once and for 7 days, and can be revoked. Ask the person who gave it to you for a new one.',
      reset:
        'A link to set a password works once and for 24 hours, and a newer one replaces it. Ask the person who gave it to you for a new one.',
      signIn: 'Go to sign-in',
    },
    forgot: {
      link: 'Forgot your password?',
      title: 'Forgot your password?',
      lead: 'Enter your username. If your profile has an e-mail address, we’ll send you a link to set a new password.',
      submit: 'Send the link',
      sentTitle: 'Check your e-mail',
      sent: 'If there is an account with this username, a password and an e-mail address, a link is on its way. It is valid for 24 hours.',
      else: 'Got no e-mail? An administrator of this flight log can also give you a link.',
      back: 'Back to sign-in',
    },
    reasons: {},
  },
  de: {
    invite: {
      title: 'Konto anlegen',
      lead: (host, inviter) =>
        inviter === undefined
          ? `Du bist zum Fluglogbuch auf ${host} eingeladen.`
          : `${inviter} lädt dich zum Fluglogbuch auf ${host} ein.`,
      submit: 'Konto anlegen',
      usernameHint:
        'Damit meldest du dich an. 3 bis 20 Buchstaben, Ziffern, Punkte, Unterstriche oder Bindestriche.',
      signedIn: (name) =>
        `Du bist als ${name} angemeldet. Wenn du hier ein Konto anlegst, wirst du abgemeldet.`,
    },
    reset: {
      title: 'Neues Passwort festlegen',
      lead: (username) => `für das Konto ${username}`,
      hint: 'Mindestens 8 Zeichen.',
      ends: 'Danach bist du überall abgemeldet.',
      submit: 'Passwort festlegen',
    },
    isSet: 'Dein neues Passwort ist festgelegt. Melde dich damit an.',
    dead: {
      title: 'Dieser Link funktioniert nicht mehr',
      invite:
        'Eine Einladung gilt einmal und 7 Tage lang und kann widerrufen werden. Bitte die Person, die sie dir gegeben hat, um eine neue.',
      reset:
        'Ein Link für ein neues Passwort gilt einmal und 24 Stunden lang, und ein neuerer ersetzt ihn. Bitte die Person, die ihn dir gegeben hat, um einen neuen.',
      signIn: 'Zur Anmeldung',
    },
    forgot: {
      link: 'Passwort vergessen?',
      title: 'Passwort vergessen?',
      lead: 'Gib deinen Benutzernamen ein. Wenn in deinem Profil eine E-Mail-Adresse steht, bekommst du eine Mail mit einem Link für ein neues Passwort.',
      submit: 'Link senden',
      sentTitle: 'Sieh in deine Mails',
      sent: 'Wenn es ein Konto mit diesem Benutzernamen, einem Passwort und einer E-Mail-Adresse gibt, ist ein Link unterwegs. Er gilt 24 Stunden.',
      else: 'Keine Mail? Auch wer dieses Fluglogbuch verwaltet, kann dir einen Link geben.',
      back: 'Zurück zur Anmeldung',
    },
    reasons: {
      username_taken: () => 'Dieser Benutzername ist vergeben.',
      too_many_at_once: ({ seconds }) => `Gerade ist viel los. Versuche es in ${seconds} Sekunden wieder.`,
      mail_off: () => 'Dieser Server sendet keine Mails.',
    },
  },
  fr: {
    invite: {
      title: 'Créer votre compte',
      lead: (host, inviter) =>
        inviter === undefined
          ? `Vous êtes invité au carnet de vol sur ${host}.`
          : `${inviter} vous invite au carnet de vol sur ${host}.`,
      submit: 'Créer le compte',
      usernameHint: 'Pour vous connecter. 3 à 20 lettres, chiffres, points, tirets bas ou traits d’union.',
      signedIn: (name) => `Vous êtes connecté en tant que ${name}. Créer un compte ici vous déconnecte.`,
    },
    reset: {
      title: 'Définir un nouveau mot de passe',
      lead: (username) => `pour le compte ${username}`,
      hint: 'Au moins 8 caractères.',
      ends: 'Vous serez alors déconnecté partout.',
      submit: 'Définir le mot de passe',
    },
    isSet: 'Votre nouveau mot de passe est défini. Connectez-vous avec celui-ci.',
    dead: {
      title: 'Ce lien ne fonctionne plus',
      invite:
        'Une invitation est valable une fois, pendant 7 jours, et peut être révoquée. Demandez-en une nouvelle à la personne qui vous l’a donnée.',
      reset:
        'Un lien pour définir un mot de passe est valable une fois, pendant 24 heures, et un plus récent le remplace. Demandez-en un nouveau à la personne qui vous l’a donné.',
      signIn: 'Aller à la connexion',
    },
    forgot: {
      link: 'Mot de passe oublié ?',
      title: 'Mot de passe oublié ?',
      lead: 'Saisissez votre nom d’utilisateur. Si votre profil contient une adresse e-mail, vous recevrez un message avec un lien pour définir un nouveau mot de passe.',
      submit: 'Envoyer le lien',
      sentTitle: 'Consultez vos e-mails',
      sent: 'S’il existe un compte avec ce nom d’utilisateur, un mot de passe et une adresse e-mail, un lien vous parviendra. Il est valable 24 heures.',
      else: 'Pas de message ? Un administrateur de ce carnet de vol peut aussi vous donner un lien.',
      back: 'Retour à la connexion',
    },
    reasons: {
      username_taken: () => 'Ce nom d’utilisateur est déjà pris.',
      too_many_at_once: ({ seconds }) =>
        `Il y a beaucoup de demandes en ce moment. Réessayez dans ${seconds} secondes.`,
      mail_off: () => 'Ce serveur n’envoie pas d’e-mails.',
    },
  },
}
