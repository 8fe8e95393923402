// Trips: the colours that they can have. No I/O, no clock.

/** Named and not written as a value, so that each theme shows its own shade of it. */
export const tripColours = ['blue', 'pink', 'teal', 'amber', 'violet', 'grey'] as const
export type TripColour = (typeof tripColours)[number]
