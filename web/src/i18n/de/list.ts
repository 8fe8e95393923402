import type { list as en } from '../en/list.ts'
import type { Translation } from '../messages.ts'

export const list: Translation<typeof en> = {
  'list.times': 'Ortszeiten',
  'list.zone': 'Zone',
  'list.flight': 'Flug',
  'list.who': 'Wer',
  'list.time': 'Dauer',
  'list.delay': 'Versp.',
  'list.codes': 'Strecke',
  'list.route': 'Städte',
  'list.hours': '{hours} h {minutes}',
  'list.zones': '{from} bis {to}',
  'list.partOf': 'Teil von {from} nach {to}',
  'list.roundTrip': 'Nach {city} und zurück',
  'list.railYear': '{year}: {flights}',
  'list.density': 'Zeilenhöhe',
  'list.dense': 'Dicht',
  'list.roomy': 'Komfortabel',
  'list.newest': 'Neueste zuerst',
  'list.oldest': 'Älteste zuerst',
  'list.byDistance': 'Nach Entfernung',
  'list.byDelay': 'Nach Verspätung',
  'list.outdated': 'Das sind die Flüge, wie sie zuletzt geladen wurden.',
  'list.printedPart':
    'Die ersten {printed} von {all} Flügen. Für andere die Liste nach Jahr filtern; der Export enthält alle.',
  'list.selectionEnded': 'Auswahl beendet',
  'list.keys':
    'Pfeiltasten bewegen, eckige Klammern wechseln das Jahr, Enter öffnet, X oder Leertaste wählt aus, R legt den Rückflug an, A denselben Flug noch einmal, D ändert die Zeilenhöhe, Entf löscht.',
}
