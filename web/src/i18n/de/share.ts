import type { share as en } from '../en/share.ts'
import type { Translation } from '../messages.ts'

export const share: Translation<typeof en> = {
  'share.title': 'Flüge von {name}',
  'share.titlePlain': 'Geteilte Flüge',
  'share.mapLabel': 'Karte der geteilten Flüge',
  'share.summary': '{flights} zwischen {airports} in {countries}.',
  'share.gone': 'Diese Freigabe gibt es nicht',
  'share.goneHint': 'Sie ist vielleicht abgelaufen, oder ihr Besitzer hat sie zurückgenommen.',
  'share.nothing': 'Hier wird nichts gezeigt',
  'share.nothingHint': 'Diese Seite hat weder Karte noch Statistik noch Liste.',
  'share.empty': 'Noch keine Flüge',
  'share.emptyHint': 'Sobald es welche gibt, erscheinen sie hier.',
  'share.more': { one: '{count} weiteren zeigen', other: '{count} weitere zeigen' },
  'share.made': 'Gemacht mit Contrail, dem eigenen Flugbuch.',
}
