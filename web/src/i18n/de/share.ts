import type { share as en } from '../en/share.ts'
import type { Translation } from '../messages.ts'

export const share: Translation<typeof en> = {
  'share.title': 'Flüge von {name}',
  'share.tripOf': 'Ein Trip von {name}',
  'share.flightOf': 'Ein Flug von {name}',
  'share.from': 'von',
  'share.to': 'nach',
  'share.planned': 'Steht noch bevor',
  'share.localTimes': 'Ortszeiten',
  'share.titlePlain': 'Geteilte Flüge',
  'share.mapLabel': 'Karte der geteilten Flüge',
  'share.summary': '{flights} zwischen {airports} in {countries}.',
  'share.gone': 'Diese Freigabe existiert nicht',
  'share.goneHint': 'Sie ist möglicherweise abgelaufen oder wurde gelöscht.',
  'share.nothing': 'Nichts anzuzeigen',
  'share.nothingHint': 'Diese Seite enthält weder Karte noch Statistik noch Liste.',
  'share.empty': 'Noch keine Flüge',
  'share.emptyHint': 'Neue Flüge erscheinen hier.',
  'share.more': { one: '{count} weiteren anzeigen', other: '{count} weitere anzeigen' },
  'share.made': 'Erstellt mit Contrail, dem selbst gehosteten Flug-Logbuch.',
}
