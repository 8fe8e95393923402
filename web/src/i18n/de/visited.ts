import type { visited as en } from '../en/visited.ts'
import type { Translation } from '../messages.ts'

export const visited: Translation<typeof en> = {
  'visited.title': 'Länder',
  'visited.lived': 'Gewohnt',
  'visited.visited': 'Besucht',
  'visited.layover': 'Transit',
  'visited.wishlist': 'Wunschliste',
  'visited.status': 'Dein Status für dieses Land',
  'visited.note': 'Notiz',
  'visited.mapLabel': 'Weltkarte: {been}, {share} aller Länder. Die Liste darunter zeigt dieselben Länder.',
  'visited.countBeen': { one: '{count} Land besucht', other: '{count} Länder besucht' },
  'visited.byContinent': 'Nach Kontinent',
  'visited.ofAll': 'von {all} Ländern und Gebieten, {share}',
  'visited.search': 'Länder suchen',
  'visited.shown': 'Angezeigte Länder',
  'visited.mine': 'Deine',
  'visited.all': 'Alle',
  'visited.empty': 'Noch kein Land',
  'visited.emptyHint':
    'Länder erscheinen hier mit deinen Flügen. Du kannst auch eines aus allen Ländern wählen und markieren.',
  'visited.fromFlights': 'Laut deinen Flügen: {status}',
  'visited.notMarked': 'Nicht markiert',
  'visited.byHand': 'von Hand',
  'visited.marked': 'Von Hand',
  'visited.noMarks': 'Nichts ist von Hand markiert',
  'visited.noMarksHint':
    'Wähle ein Land, um zu sagen, dass du dort gewohnt hast, ohne Flug dort warst oder hinmöchtest.',
  'visited.whyFlown': {
    one: 'Karte und Statistik zählen {count} Land deiner Flüge',
    other: 'Karte und Statistik zählen {count} Länder deiner Flüge',
  },
  'visited.whyTransit': {
    one: 'in {count} davon bist du nur umgestiegen',
    other: 'in {count} davon bist du nur umgestiegen',
  },
  'visited.whyNotBeen': {
    one: '{count} davon ist Transit oder anders markiert',
    other: '{count} davon sind Transit oder anders markiert',
  },
  'visited.whyByHand': {
    one: '{count} weiteres ist von Hand markiert',
    other: '{count} weitere sind von Hand markiert',
  },
  'visited.ofOthers':
    'Aus den gezeigten Flügen. Deine Markierungen sind privat und erscheinen nur bei deinen eigenen Flügen.',
  'visited.marksFailed':
    'Deine Markierungen konnten nicht geladen werden. Dies sind die Länder deiner Flüge.',
}
