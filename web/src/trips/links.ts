/** The page that creates a trip of these flights. */
export const newTripHref = (flights: readonly { id: number }[]): string =>
  `/trips?new=${flights.map(({ id }) => id).join(',')}`
