/** Text fields that have no place of their own in the form and on the flight's page: they stand together there. */

import { type TextField, textFields } from '../../../server/domain/flight-fields.ts'
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

/** A new field needs a label in both languages: without it this does not compile. */
export const labelOf = (field: OtherText): PlainKey => `flight.${field}`
