/** The list of flights, loaded with it. */
export const list = {
  'list.times': 'Local times',
  'list.zone': 'Zone',
  'list.flight': 'Flight',
  'list.who': 'Who',
  'list.time': 'Time',
  'list.delay': 'Delay',
  'list.codes': 'Route',
  'list.route': 'Cities',
  'list.hours': '{hours} h {minutes}',
  'list.zones': '{from} to {to}',
  'list.partOf': 'part of {from} to {to}',
  'list.roundTrip': 'To {city} and back',
  'list.railYear': '{year}: {flights}',
  'list.density': 'Row height',
  'list.dense': 'Dense',
  'list.roomy': 'Comfortable',
  'list.newest': 'Newest first',
  'list.oldest': 'Oldest first',
  'list.byDistance': 'By distance',
  'list.byDelay': 'By delay',
  'list.outdated': 'Showing the last loaded flights.',
  'list.printedPart':
    'The first {printed} of {all} flights. To print others, filter the list by year. The export contains all flights.',
  'list.selectionEnded': 'Selection ended',
  'list.keys':
    'Use the arrow keys to move, the brackets to change the year, Enter to open, X or Space to select, R to add the return flight, A to add the same flight again, D to change the row height and Delete to delete.',
} as const
