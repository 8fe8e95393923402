// Trips: their colours, and their data in imports. No I/O, no clock.

/** Names instead of values, so that each theme can have its own shade. */
export const tripColours = ['blue', 'pink', 'teal', 'amber', 'violet', 'grey'] as const
export type TripColour = (typeof tripColours)[number]

/** A trip of an imported file. */
export interface ImportedTrip {
  name: string
  note: string | null
  colour: TripColour
  /** When it was created in the original log; together with the name it shows whether the trip is already here. */
  createdAt: string | null
  /** The rows of the file that belong to the trip. */
  rows: number[]
  /** The rows that a commit has processed. */
  placed: number[]
  /** The trip in the log, once a commit created or found it. */
  tripId: number | null
}
