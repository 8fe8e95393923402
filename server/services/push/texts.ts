// The texts of notifications, which are also sent as e-mails. None contains a booking reference, seat, price or note, or the name
// of another person.
import { translated } from '../../domain/translated.ts'

export const pushTexts = await translated(
  {
    test: { title: 'Notifications work', body: 'This device gets your notifications.' },
    /** For people who want messages that say nothing. */
    discreet: {
      title: 'Contrail',
      flight: 'There is news about a flight',
      account: 'There is news about your account',
    },
    reminder: {
      numbered: '{number} to {city} {day} {time}',
      plain: 'Flight to {city} {day} {time}',
      /** The destination is unknown. */
      numberOnly: '{number} {day} {time}',
      nothing: 'Flight {day} {time}',
      today: 'today',
      tomorrow: 'tomorrow',
      terminal: 'terminal {terminal}',
      gate: 'gate {gate}',
    },
    notice: {
      added: { title: 'You were added to a flight', body: 'Keep it or leave it.' },
      arrived: { one: '{count} new flight in your log', other: '{count} new flights in your log' },
      arrivedWaiting: { one: '{count} record needs your review', other: '{count} records need your review' },
      arrivedBody: 'From your mail or a calendar.',
      unread: { title: 'Can’t read {name} any more', body: 'Check it in the settings.' },
      waiting: { title: 'An import needs your review', body: 'Open it to answer its questions.' },
      session: { title: 'New sign-in', body: '{device}. If this was not you, report it in Contrail.' },
      unknownDevice: 'Unknown device',
      codes: {
        title: 'Wrong codes after your correct password',
        body: 'If it was not you, change your password.',
      },
      shared: {
        title: 'A program published flights of yours',
        body: 'If you did not want this, delete the link and revoke the program’s access.',
      },
      role: { title: 'A role has more permissions', body: '{name}' },
      backup: { title: 'The last backup failed', body: 'See the settings of the instance.' },
      webhook: { title: 'A webhook has stopped sending', body: '{name}' },
    },
    mail: {
      footer: `{url}

You get these e-mails from the flight log at {host}. Choose what you get in Settings, Notifications.
`,
      confirm: {
        subject: 'Confirm your address for notifications',
        text: `Hello,

someone, probably you, wants notifications of the flight log at {host} sent to this address.

Confirm it within 24 hours:
{url}

The link works only while you are signed in to that account. If it was not you, ignore this e-mail. Nothing will be sent.
`,
      },
    },
  },
  import.meta.url,
)

export type PushTexts = (typeof pushTexts)['en']
