/** Text fields without a fixed position in the form and on the flight page, where they are listed together. */

import { type TextField, textFields } from '../../../server/domain/flights/fields.ts'
import type { PlainKey } from '../i18n/i18n.svelte.ts'

const placed = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'flightNumber',
  'aircraftReg',
  'note',
] as const
type OtherText = Exclude<TextField, (typeof placed)[number]>

export const otherTexts = textFields.filter(
  (field): field is OtherText => !placed.some((known) => known === field),
)

/** The texts among these that have their own section in the form. */
export const bookingTexts = [
  'bookingReference',
  'operatingFlightNumber',
] as const satisfies readonly OtherText[]
export const isOfBooking = (field: OtherText): boolean => bookingTexts.some((name) => name === field)

/** Does not compile until a new field has a label. */
export const labelOf = (field: OtherText): PlainKey => `flight.${field}`
