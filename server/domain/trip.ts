// Trips: the colours that they can have, and what an import knows of them. No I/O, no clock.

/** Named and not written as a value, so that each theme shows its own shade of it. */
export const tripColours = ['blue', 'pink', 'teal', 'amber', 'violet', 'grey'] as const
export type TripColour = (typeof tripColours)[number]

/** A trip of an imported file. */
export interface ImportedTrip {
  name: string
  note: string | null
  colour: TripColour
  /** When it was created in the log that it comes from; with the name it tells whether it is known here. */
  createdAt: string | null
  /** The rows of the file that are part of it. */
  rows: number[]
  /** Those that a commit has dealt with. */
  placed: number[]
  /** The trip in the log, once a commit created or found it. */
  tripId: number | null
}
