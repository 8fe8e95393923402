import type { lookup as en } from '../en/lookup.ts'
import type { Translation } from '../messages.ts'

export const lookup: Translation<typeof en> = {
  'lookup.button': 'Nachschlagen',
  'lookup.busy': 'Wird nachgeschlagen …',
  'lookup.source.own': 'deinem Logbuch',
  'lookup.source.aerodatabox': 'AeroDataBox',
  'lookup.source.adsbdb': 'adsbdb',
  'lookup.filled': 'Ausgefüllt aus {source}: {fields}.',
  'lookup.filledNothing': 'Aus {source} kommt nichts hinzu.',
  'lookup.kept': 'Bleibt, wie du es eingegeben hast: {fields}.',
  'lookup.usual':
    'In deinem Logbuch meist {departure} bis {arrival}. Nicht eingetragen: An dem Tag kann es anders sein.',
  'lookup.usualRoute': 'So fliegt diese Nummer heute gewöhnlich. Prüfe es für den Tag.',
  'lookup.choose': 'Mehrere Flüge haben diese Nummer. Welcher ist es?',
  'lookup.cancelled': '{route} ist an dem Tag ausgefallen.',
  'lookup.route': 'die Strecke',
  'lookup.fill': 'Tatsächliche Zeiten, Flugzeug, Kennzeichen eintragen',
  'lookup.fillTitle': 'Eintragen, wie es war',
  'lookup.fillFrom':
    '{source} über {number} am {date}. Leere Felder und geplante Zeiten sind angehakt; was du selbst eingegeben hast, bleibt, wenn du es nicht anhakst.',
  'lookup.fillNothing': 'Nichts hinzuzufügen: In {source} steht, was hier schon steht.',
  'lookup.fillOther': '{source} hat {number} an dem Tag, aber nicht auf der Strecke {route}.',
  'lookup.fillSave': { one: '{count} Feld eintragen', other: '{count} Felder eintragen' },
  'lookup.fillDone': 'Eingetragen',
  'lookup.empty': 'leer',
  'lookup.reason.not_found': 'An dem Tag wurde kein Flug mit dieser Nummer gefunden.',
  'lookup.reason.no_provider':
    'Diese Nummer ist nicht in deinem Logbuch, und diese Instanz fragt keinen Anbieter.',
  'lookup.reason.too_far_back': 'Der Anbieter reicht nicht weiter als 365 Tage zurück.',
  'lookup.reason.too_far_ahead': 'So weit im Voraus kennt der Anbieter keine Flüge.',
  'lookup.reason.quota_used':
    'Das Kontingent beim Anbieter ist aufgebraucht. Versuche es später noch einmal.',
  'lookup.reason.too_many_lookups':
    'Du hast so viele Flüge nachgeschlagen, wie eine Person am Tag darf. Versuche es morgen wieder.',
  'lookup.reason.busy':
    'Gerade werden viele Flüge nachgeschlagen. Versuche es in ein paar Sekunden noch einmal.',
  'lookup.reason.key_refused':
    'Der Anbieter lehnt den Schlüssel dieser Instanz ab. Die Person, der sie gehört, muss AERODATABOX_KEY prüfen.',
  'lookup.reason.no_response': 'Der Anbieter antwortet nicht. Versuche es später noch einmal.',
  'lookup.reason.bad_response': 'Die Antwort des Anbieters war nicht lesbar.',
}
