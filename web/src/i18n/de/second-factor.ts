import type { secondFactor as en } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

export const secondFactor: Translation<typeof en> = {
  'factor.title': 'Zweiter Faktor',
  'factor.hint':
    'Nach deinem Passwort wird ein Code einer Authenticator-App auf deinem Telefon verlangt. Passkeys und dein Anbieter genügen allein.',
  'factor.noPassword': 'Dein Konto hat kein Passwort, das ein zweiter Faktor schützen könnte.',
  'factor.setUp': 'Einrichten',
  'factor.on': 'Eingeschaltet seit {date}',
  'factor.codesLeft': {
    one: 'noch {count} Wiederherstellungscode',
    other: 'noch {count} Wiederherstellungscodes',
  },
  'factor.trusted': { one: '{count} vertrauter Browser', other: '{count} vertraute Browser' },
  'factor.fewCodes': 'Erzeuge neue Wiederherstellungscodes, bevor der letzte verbraucht ist.',
  'factor.unreadable':
    'Dieser Server hat das Geheimnis deiner App verloren und nimmt keine Codes von ihr an. Schalte den zweiten Faktor aus und richte ihn neu ein.',
  'factor.newCodes': 'Neue Wiederherstellungscodes',
  'factor.newCodes.hint': 'Die alten Wiederherstellungscodes gelten sofort nicht mehr.',
  'factor.off': 'Ausschalten',
  'factor.off.title': 'Zweiten Faktor ausschalten',
  'factor.off.hint': 'Zum Anmelden genügt dann dein Passwort. Die Wiederherstellungscodes gelten nicht mehr.',
  'factor.off.done': 'Zweiter Faktor ausgeschaltet',
  'factor.scan': 'Scanne das mit einer Authenticator-App, etwa Aegis, 2FAS oder der deines Passwortmanagers.',
  'factor.qr': 'QR-Code für die Authenticator-App',
  'factor.secret': 'Oder tippe diesen Schlüssel in die App',
  'factor.code': 'Sechs Ziffern, die die App zeigt',
  'factor.enable': 'Einschalten',
  'factor.codes.title': 'Deine Wiederherstellungscodes',
  'factor.codes.hint':
    'Bewahre sie dort auf, wo du sie ohne dein Telefon erreichst. Jeder ersetzt einmal einen Code. Sie werden nur jetzt gezeigt.',
  'factor.codes.list': 'Wiederherstellungscodes',
  'factor.codes.download': 'Herunterladen',
  'factor.codes.print': 'Drucken',
  'factor.codes.done': 'Ich habe sie gesichert',
  'factor.codes.file': 'Wiederherstellungscodes für {name} auf {host}',
  'confirm.title': 'Bitte bestätige, dass du es bist',
  'confirm.hint':
    'Das gibt oder ändert dauerhaften Zugang. Fünf Minuten lang wirst du nicht noch einmal gefragt.',
  'confirm.password': 'Dein Passwort',
  'confirm.action': 'Bestätigen',
  'confirm.passkey': 'Passkey verwenden',
  'confirm.provider': 'Mit {name} bestätigen',
  'confirm.providerHint':
    'Du verlässt diese Seite und kommst zu ihr zurück. Was du eingegeben hast, bleibt erhalten, außer Passwörtern und Codes.',
  'confirm.none': 'Melde dich ab und wieder an, und wiederhole dann, was du tun wolltest.',
  'settings.password.set': 'Passwort festlegen',
  'settings.password.setHint':
    'Dein Konto hat kein Passwort. Mit einem kannst du dich auch ohne Passkey und ohne Anbieter anmelden.',
  'settings.password.isSet': 'Passwort festgelegt. Andere Geräte wurden abgemeldet.',
  'settings.password.off': 'Hier meldet sich nur der Eigentümer mit einem Passwort an.',
}
