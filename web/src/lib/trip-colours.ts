import type { TripColour } from '../../../server/domain/trips/trip.ts'

/** Each theme has its own shade of a colour. */
export const shadeOf: Record<TripColour, string> = {
  blue: 'var(--c1)',
  pink: 'var(--c2)',
  teal: 'var(--c3)',
  amber: 'var(--c4)',
  violet: 'var(--c5)',
  grey: 'var(--c6)',
}
