// What was not flown, by the words of a title or a cell: cancelled flights, and journeys by other means, in the languages of the
// interface.
import { wordsOf } from '../text/fold.ts'

/** Lower case, without accents and punctuation. */
const plain = (text: string): string => wordsOf(text).join(' ')
const anyOf = (words: string): string => words.split(' ').join('|')

const CELL_AT_MOST = 40

const isCancelled = new RegExp(
  `(?<!\\b(?:not|nicht|non|no|pas|if|wenn|si|se) )\\b(?:${anyOf(
    'cancelled canceled storniert annulliert abgesagt gestrichen annule annulee annules annulees supprime cancelado cancelada cancelados canceladas anulado anulada cancellato cancellata cancellati cancellate annullato annullata soppresso geannuleerd aflyst installd kansellert storno',
  )})\\b`,
)

/** `Canceled: SK1416 CPH-ARN`, `Storniert: …`, `SK1416 (annulé)`. */
export const saysCancelled = (title: string): boolean => isCancelled.test(plain(title))

/** Whether a cell says nothing but that the flight was cancelled: `CANCELLED`, `annulé (grève)`. */
export const isCancelledCell = (cell: string): boolean =>
  cell.length <= CELL_AT_MOST && wordsOf(cell).length <= 3 && saysCancelled(cell)

const isOther = new RegExp(
  `^(?:by |mit |en |in |par |con |per )?(?:${anyOf(
    'train rail railway zug bahn ferrovia treno tren tgv bus autobus autocar reisebus fernbus pullman corriera ferry fahre traghetto transbordador bateau ship schiff boat boot nave barco car auto mietwagen voiture coche macchina taxi hotel hostel',
  )})(?: (?:rental|hire|ticket|ride|stay))?$`,
)

/** Whether a cell says by what else one travelled: `train`, `By bus`, `Mietwagen`. */
export const isOtherTransport = (cell: string): boolean =>
  cell.length <= CELL_AT_MOST && !/\d/.test(cell) && isOther.test(plain(cell))

const beginsWithOther =
  /^(?:train|zug|treno|tren|bus|autobus|reisebus|fernbus|ferry|fahre|traghetto|transbordador|mietwagen|hotel|hostel|car (?:rental|hire)|rental car|coche de alquiler|voiture de location|auto a noleggio|bahnfahrt|zugfahrt|busfahrt|billet de train)\b/
const namesFlight = /\b(?:flights?|fluge?|vols?|vuelos?|vol[oi]|fly)\b/

/** Whether a title begins with another means of travel or a stay, and names no flight: `Train to Lyon, TGV 6607`. */
export function saysOtherTransport(title: string): boolean {
  const words = plain(title)
  return beginsWithOther.test(words) && !namesFlight.test(words)
}
