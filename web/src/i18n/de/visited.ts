import type { visited as en } from '../en/visited.ts'
import type { Translation } from '../messages.ts'

export const visited: Translation<typeof en> = {
  'visited.title': 'Länder',
  'visited.fill': 'Aus Flügen füllen',
  'visited.filled': {
    one: '{count} Land aus deinen Flügen ergänzt',
    other: '{count} Länder aus deinen Flügen ergänzt',
  },
  'visited.lived': 'Gelebt',
  'visited.visited': 'Besucht',
  'visited.layover': 'Zwischenstopp',
  'visited.wishlist': 'Wunschliste',
  'visited.none': 'Nicht markiert',
  'visited.status': 'Dieses Land ist für mich',
  'visited.note': 'Notiz',
  'visited.mapLabel': 'Weltkarte: {been}, {share} von allen. Die Liste darunter enthält dasselbe.',
  'visited.countBeen': { one: '{count} Land besucht', other: '{count} Länder besucht' },
  'visited.byContinent': 'Nach Kontinent',
  'visited.ofAll': 'von {all} Ländern und Gebieten, {share}',
  'visited.search': 'Land suchen',
  'visited.shown': 'Gezeigte Länder',
  'visited.mine': 'Markierte',
  'visited.all': 'Alle',
  'visited.empty': 'Noch ist kein Land markiert',
  'visited.emptyHint': 'Fülle die Karte aus deinen Flügen, oder klicke ein Land an, um es zu markieren.',
}
