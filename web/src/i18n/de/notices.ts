import type { notices as en } from '../en/notices.ts'
import type { Translation } from '../messages.ts'

export const notices: Translation<typeof en> = {
  'notices.title': 'Benachrichtigungen',
  'notices.unread': {
    one: '{count} ungelesene Benachrichtigung',
    other: '{count} ungelesene Benachrichtigungen',
  },
  'notices.isUnread': 'Ungelesen',
  'notices.empty': 'Keine Benachrichtigungen',
  'notices.emptyHint':
    'Wenn dich jemand zu einem Flug hinzufügt, entscheidest du hier, ob du ihn behältst. Auch neue Anmeldungen, wartende Importe und was nicht mehr läuft, steht hier.',
  'notices.added': '{name} hat dich hinzugefügt: {flight}.',
  'notices.addedMore': {
    one: '{name} hat dich hinzugefügt: {flight} und {count} weiterer Flug.',
    other: '{name} hat dich hinzugefügt: {flight} und {count} weitere Flüge.',
  },
  'notices.addedMany': {
    one: '{name} hat dich zu {count} Flug hinzugefügt.',
    other: '{name} hat dich zu {count} Flügen hinzugefügt.',
  },
  'notices.addedHere': '{name} hat dich zu diesem Flug hinzugefügt.',
  'notices.addedMoreHere': {
    one: '{name} hat dich zu diesem und {count} weiteren Flug hinzugefügt. Behalten und Austragen gelten für beide.',
    other:
      '{name} hat dich zu diesem und {count} weiteren Flügen hinzugefügt. Behalten und Austragen gelten für alle.',
  },
  'notices.removed.left': '{name} hat sich ausgetragen: {flight}.',
  'notices.removed.deleted': '{name} hat einen Flug gelöscht: {flight}.',
  'notices.removed.erased': '{name} hat einen Flug endgültig gelöscht: {flight}.',
  'notices.removedMany.left': {
    one: '{name} hat sich aus {count} Flug mit dir ausgetragen.',
    other: '{name} hat sich aus {count} Flügen mit dir ausgetragen.',
  },
  'notices.removedMany.deleted': {
    one: '{name} hat {count} Flug mit dir gelöscht.',
    other: '{name} hat {count} Flüge mit dir gelöscht.',
  },
  'notices.removedMany.erased': {
    one: '{name} hat {count} Flug mit dir endgültig gelöscht.',
    other: '{name} hat {count} Flüge mit dir endgültig gelöscht.',
  },
  'notices.removedBy': 'Ein gelöschtes Konto',
  'notices.removedHint.left': 'In deinem Logbuch bleibt der Flug.',
  'notices.removedHint.deleted': 'Wiederherstellen kannst du 30 Tage lang, in „Zuletzt gelöscht“.',
  'notices.removedHint.erased': 'Das lässt sich nicht rückgängig machen.',
  'notices.hereHint': 'Deine öffentlichen Freigaben zeigen ihn erst, wenn du ihn behältst.',
  'notices.flight': 'Flug {route}, {date}',
  'notices.numbered': '{number}, {route}, {date}',
  'notices.keep': 'Behalten',
  'notices.leave': 'Austragen',
  'notices.keepOne': 'Behalten: {flight}',
  'notices.leaveOne': 'Austragen: {flight}',
  'notices.keepAll': 'Alle behalten',
  'notices.leaveAll': 'Aus allen austragen',
  'notices.keepAllOf': 'Alle behalten, die {name} hinzugefügt hat',
  'notices.leaveAllOf': 'Aus allen austragen, die {name} hinzugefügt hat',
  'notices.showEach': 'Einzelne Flüge anzeigen',
  'notices.kept': 'Behalten',
  'notices.left': 'Du hast dich ausgetragen',
  'notices.keptNow': { one: 'Flug behalten', other: '{count} Flüge behalten' },
  'notices.leftNow': {
    one: 'Du hast dich aus dem Flug ausgetragen',
    other: 'Du hast dich aus {count} Flügen ausgetragen',
  },
  'notices.failed': {
    one: '{count} Flug konnte nicht geändert werden. Versuche es erneut.',
    other: '{count} Flüge konnten nicht geändert werden. Versuche es erneut.',
  },
  'notices.leaveTitle': { one: 'Aus diesem Flug austragen?', other: 'Aus {count} Flügen austragen?' },
  'notices.leaveText': {
    one: 'Er verschwindet aus deinem Logbuch und deiner Statistik. Die anderen Passagiere behalten ihn.',
    other: 'Sie verschwinden aus deinem Logbuch und deiner Statistik. Die anderen Passagiere behalten sie.',
  },
  'notices.arrived': { one: '{count} Flug aus {from}', other: '{count} Flüge aus {from}' },
  'notices.waitFrom': {
    one: '{count} Eintrag aus {from} wartet auf dich',
    other: '{count} Einträge aus {from} warten auf dich',
  },
  'notices.waits': { one: '{count} weiterer wartet auf dich.', other: '{count} weitere warten auf dich.' },
  'notices.fromMail': 'einer weitergeleiteten E-Mail',
  'notices.fromMailbox': 'deinen E-Mails ({name})',
  'notices.unknownSender': 'Weitergeleitet von {sender}; das ist keine deiner Adressen.',
  'notices.undo': 'Rückgängig',
  'notices.takenBack': 'Rückgängig gemacht',
  'notices.unreadSource': '{name} kann nicht mehr gelesen werden',
  'notices.wrongCodes': {
    one: '{count} falscher Code nach deinem richtigen Passwort',
    other: '{count} falsche Codes nach deinem richtigen Passwort',
  },
  'notices.wrongCodesFrom': {
    one: '{count} falscher Code nach deinem richtigen Passwort, zuletzt von {address}',
    other: '{count} falsche Codes nach deinem richtigen Passwort, zuletzt von {address}',
  },
  'notices.wrongCodesHint':
    'Jemand, der dein Passwort kennt, hat versucht, sich anzumelden. Warst du das nicht, dann ändere dein Passwort.',
  'notices.someProgram': 'Ein Programm',
  'notices.shared.created': '{name} hat einen öffentlichen Link zu deinen Flügen erstellt.',
  'notices.shared.widened': '{name} hat einen öffentlichen Link geändert: Er zeigt mehr als vorher.',
  'notices.sharedMany': {
    one: '{name} hat {count} öffentlichen Link zu deinen Flügen erstellt oder geändert.',
    other: '{name} hat {count} öffentliche Links zu deinen Flügen erstellt oder geändert.',
  },
  'notices.sharedHint':
    'Wer den Link hat, kann ihn öffnen. Wolltest du das nicht, dann lösche den Link und entziehe dem Programm den Zugriff.',
  'notices.readAll': 'Alle als gelesen markieren',
  'notices.more': 'Mehr anzeigen',
  'webhooks.because.access_lost': 'Deine Rolle erlaubt nicht mehr, diese Flüge zu senden.',
  'webhooks.because.credential_ended':
    'Den API-Schlüssel oder die App, mit der er erstellt wurde, gibt es nicht mehr.',
  'webhooks.because.no_success': 'Fünf Tage lang war keine Zustellung erfolgreich.',
  'webhooks.because.receiver_gone': 'Der Empfänger hat gemeldet, dass es ihn nicht mehr gibt (410).',
  'webhooks.because.secret_unreadable':
    'Der Server kann den Signaturschlüssel nicht mehr lesen. Ersetze ihn, um fortzufahren.',
  'webhooks.stopped': 'Der Webhook {name} sendet nicht mehr.',
}
