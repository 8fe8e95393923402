// When a figure may be stated: a record, a share or an average needs flights behind it. Sums and counts need none.

/** A record, a share or an average of fewer flights says more about what is missing than about the log. */
export const FEWEST_FLIGHTS = 5

export const isEnough = (flights: number): boolean => flights >= FEWEST_FLIGHTS
