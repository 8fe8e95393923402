// What the mails of this instance say, in each language.
import type { Language } from './languages.ts'

interface Facts {
  name: string
  username: string
  host: string
  url: string
}
interface MailText {
  subject: string
  text: string
}

/** To someone who asked for a new password. */
export const resetMail = (language: Language, facts: Facts): MailText => resetMails[language](facts)

const resetMails: Record<Language, (facts: Facts) => MailText> = {
  en: ({ name, username, host, url }) => ({
    subject: 'Set a new password',
    text: `Hello ${name},

someone, probably you, asked for a new password for the account ${username} of the flight log at ${host}.

Set it here within 24 hours:
${url}

Your sessions end when you do. If you did not ask for it, ignore this mail: your password stays as it is.
`,
  }),
  de: ({ name, username, host, url }) => ({
    subject: 'Neues Passwort festlegen',
    text: `Hallo ${name},

jemand, wahrscheinlich du, hat für das Konto ${username} im Fluglogbuch auf ${host} ein neues Passwort angefordert.

Lege es innerhalb von 24 Stunden hier fest:
${url}

Danach sind alle deine Sitzungen beendet. Falls du das nicht angefordert hast, ignoriere diese Mail: Dein Passwort bleibt, wie es ist.
`,
  }),
  fr: ({ name, username, host, url }) => ({
    subject: 'Définir un nouveau mot de passe',
    text: `Bonjour ${name},

quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour le compte ${username} du carnet de vol sur ${host}.

Définissez-le ici dans les 24 heures :
${url}

Toutes vos sessions prendront alors fin. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste inchangé.
`,
  }),
}
