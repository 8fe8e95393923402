import type { waiting as en } from '../en/waiting.ts'
import type { Translation } from '../messages.ts'

export const waiting: Translation<typeof en> = {
  'waiting.title': 'Noch nicht synchronisiert',
  'waiting.bar': {
    one: '1 Änderung ist noch nicht synchronisiert.',
    other: '{count} Änderungen sind noch nicht synchronisiert.',
  },
  'waiting.offline': {
    one: 'Offline. 1 Änderung ist noch nicht synchronisiert.',
    other: 'Offline. {count} Änderungen sind noch nicht synchronisiert.',
  },
  'waiting.sending': 'Deine Änderungen werden gesendet …',
  'waiting.asking': {
    one: '1 Änderung braucht deine Entscheidung.',
    other: '{count} Änderungen brauchen deine Entscheidung.',
  },
  'waiting.show': 'Anzeigen',
  'waiting.hint':
    'Diese Änderungen liegen in diesem Browser und werden in dieser Reihenfolge gesendet, sobald der Server erreichbar ist. Andere Geräte sehen sie noch nicht.',
  'waiting.try': 'Jetzt versuchen',
  'waiting.unreached': 'Der Server ist noch nicht erreichbar. Deine Änderungen bleiben hier.',
  'waiting.none': 'Alles synchronisiert',
  'waiting.noneHint': 'Alle deine Änderungen sind auf dem Server.',
  'waiting.sent': {
    one: 'Die Änderung an {name} wurde gesendet.',
    other: '{count} Änderungen wurden gesendet.',
  },
  'waiting.saved': 'Auf diesem Gerät gespeichert. Gesendet wird, sobald der Server erreichbar ist.',
  'waiting.deleted': {
    one: 'Flug auf diesem Gerät gelöscht. Die Löschung wird gesendet, sobald der Server erreichbar ist.',
    other:
      '{count} Flüge auf diesem Gerät gelöscht. Die Löschung wird gesendet, sobald der Server erreichbar ist.',
  },
  'waiting.create': 'Neuer Flug',
  'waiting.edit': 'Änderung',
  'waiting.delete': 'Löschung',
  'waiting.restore': 'Rücknahme einer Löschung',
  'waiting.several': { one: '1 Flug', other: '{count} Flüge' },
  'waiting.madeAt': 'Von {when}',
  'waiting.refused': 'Nicht gespeichert: {reason}',
  'waiting.changed':
    'Dieser Flug wurde auch anderswo geändert, in denselben Feldern. Wähle, welche Werte bleiben.',
  'waiting.changedDelete': 'Dieser Flug wurde anderswo geändert, nachdem du ihn hier gelöscht hast.',
  'waiting.gone': 'Dieser Flug wurde anderswo gelöscht. Du kannst deine Fassung als neuen Flug speichern.',
  'waiting.twice':
    'Das wurde vor mehr als einem Tag ohne Antwort gesendet, und dein Logbuch enthält jetzt einen solchen Flug. Vielleicht ist es derselbe.',
  'waiting.choose': 'Werte wählen',
  'waiting.open': 'Im Formular öffnen',
  'waiting.deleteAnyway': 'Trotzdem löschen',
  'waiting.keep': 'Flug behalten',
  'waiting.again': 'Erneut versuchen',
  'waiting.anyway': 'Trotzdem speichern',
  'waiting.discard': 'Verwerfen',
  'waiting.discarded': 'Änderung verworfen',
  'waiting.flight': 'Deine Änderung an diesem Flug ist noch nicht synchronisiert.',
  'waiting.newFlight': 'Dieser Flug ist noch nicht synchronisiert.',
  'waiting.signOutTitle': {
    one: 'Eine Änderung ist noch nicht synchronisiert',
    other: '{count} Änderungen sind noch nicht synchronisiert',
  },
  'waiting.signOut':
    'Behältst du sie, dann bleiben sie in diesem Browser und werden gesendet, wenn du dich hier wieder anmeldest. Lösche sie auf einem Gerät, das auch andere benutzen: Sie könnten sie lesen.',
  'waiting.signOutKeep': 'Behalten und abmelden',
  'waiting.signOutDelete': 'Löschen und abmelden',
  'waiting.stay': 'Angemeldet bleiben',
}
