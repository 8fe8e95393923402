// The mails of this instance in each language.
import type { Language } from '../languages.ts'

// No mail contains a name that a person chose freely: strangers can cause mails, and a name can be a line with a link.
interface Facts {
  host: string
  url: string
}
interface AccountFacts extends Facts {
  username: string
}
interface MailText {
  subject: string
  text: string
}

/** For people who requested a new password. */
export const resetMail = (language: Language, facts: AccountFacts): MailText => resetMails[language](facts)

const resetMails: Record<Language, (facts: AccountFacts) => MailText> = {
  en: ({ username, host, url }) => ({
    subject: 'Set a new password',
    text: `Hello,

someone, probably you, asked for a new password for the account ${username} of the flight log at ${host}.

Set it here within 24 hours:
${url}

Your sessions end when you do. If you did not ask for it, ignore this mail: your password stays as it is.
`,
  }),
  de: ({ username, host, url }) => ({
    subject: 'Neues Passwort festlegen',
    text: `Hallo,

jemand, wahrscheinlich du, hat für das Konto ${username} im Fluglogbuch auf ${host} ein neues Passwort angefordert.

Lege es innerhalb von 24 Stunden hier fest:
${url}

Danach sind alle deine Sitzungen beendet. Falls du das nicht angefordert hast, ignoriere diese Mail: Dein Passwort bleibt, wie es ist.
`,
  }),
  fr: ({ username, host, url }) => ({
    subject: 'Définir un nouveau mot de passe',
    text: `Bonjour,

quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour le compte ${username} du carnet de vol sur ${host}.

Définissez-le ici dans les 24 heures :
${url}

Toutes vos sessions prendront alors fin. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste inchangé.
`,
  }),
}

/** For an address that a person entered in their profile. */
export const verificationMail = (language: Language, facts: Facts): MailText =>
  verificationMails[language](facts)

const verificationMails: Record<Language, (facts: Facts) => MailText> = {
  en: ({ host, url }) => ({
    subject: 'Confirm your e-mail address',
    text: `Hello,

someone, probably you, entered this address in the flight log at ${host}.

Confirm it within 24 hours:
${url}

The link works only for that person, signed in. If it was not you, ignore this mail: the address is not used.
`,
  }),
  de: ({ host, url }) => ({
    subject: 'Bestätige deine E-Mail-Adresse',
    text: `Hallo,

jemand, wahrscheinlich du, hat diese Adresse im Fluglogbuch auf ${host} eingetragen.

Bestätige sie innerhalb von 24 Stunden:
${url}

Der Link wirkt nur für diese Person, wenn sie angemeldet ist. Falls du es nicht warst, ignoriere diese Mail: Die Adresse wird nicht verwendet.
`,
  }),
  fr: ({ host, url }) => ({
    subject: 'Confirmez votre adresse e-mail',
    text: `Bonjour,

quelqu’un, sans doute vous, a saisi cette adresse dans le carnet de vol sur ${host}.

Confirmez-la dans les 24 heures :
${url}

Le lien ne fonctionne que pour cette personne, une fois connectée. Si ce n’était pas vous, ignorez ce message : l’adresse n’est pas utilisée.
`,
  }),
}
