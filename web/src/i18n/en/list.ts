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
  'list.outdated': 'These are the flights as last loaded.',
  'list.printedPart':
    'The first {printed} of {all} flights. To print others, filter the list by year; the export has them all.',
  'list.selectionEnded': 'Selection ended',
  'list.keys':
    'Use the arrow keys to move, the brackets to go to another year, Enter to open, X or Space to select, R for the return, A for the same flight again, D for the height of the rows and Delete to delete.',
} as const
