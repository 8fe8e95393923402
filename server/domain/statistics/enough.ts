// How many flights a figure needs: records, shares and averages need several. Sums and counts need none.

/** With fewer flights, a record, share or average says more about missing data than about the log. */
export const FEWEST_FLIGHTS = 5

export const isEnough = (flights: number): boolean => flights >= FEWEST_FLIGHTS
