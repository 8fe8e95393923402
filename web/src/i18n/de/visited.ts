import type { visited as en } from '../en/visited.ts'
import type { Translation } from '../messages.ts'

export const visited: Translation<typeof en> = {
  'visited.title': 'Länder',
  'visited.fill': 'Aus Flügen hinzufügen',
  'visited.filled': {
    one: '{count} Land aus deinen Flügen hinzugefügt',
    other: '{count} Länder aus deinen Flügen hinzugefügt',
  },
  'visited.lived': 'Gewohnt',
  'visited.visited': 'Besucht',
  'visited.layover': 'Zwischenstopp',
  'visited.wishlist': 'Wunschliste',
  'visited.none': 'Nicht markiert',
  'visited.status': 'Dein Status für dieses Land',
  'visited.note': 'Notiz',
  'visited.mapLabel': 'Weltkarte: {been}, {share} aller Länder. Die Liste darunter zeigt dieselben Länder.',
  'visited.countBeen': { one: '{count} Land besucht', other: '{count} Länder besucht' },
  'visited.byContinent': 'Nach Kontinent',
  'visited.ofAll': 'von {all} Ländern und Gebieten, {share}',
  'visited.search': 'Länder suchen',
  'visited.shown': 'Angezeigte Länder',
  'visited.mine': 'Markierte',
  'visited.all': 'Alle',
  'visited.empty': 'Noch keine Länder markiert',
  'visited.emptyHint': 'Füge die Länder aus deinen Flügen hinzu oder klicke ein Land an, um es zu markieren.',
}
