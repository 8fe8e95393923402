/** Where a trip of these flights is begun. */
export const newTripHref = (flights: readonly { id: number }[]): string =>
  `/trips?new=${flights.map(({ id }) => id).join(',')}`
