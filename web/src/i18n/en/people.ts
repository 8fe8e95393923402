/** Whose flights are shown. */
export const people = {
  'people.title': 'Whose flights',
  'people.everyone': 'Everyone',
  'people.you': '{name} (you)',
  'people.unknown': 'Unknown person',
  'people.more': { one: '{names} and {count} more', other: '{names} and {count} more' },
  'people.search': 'Search people',
  'people.noMatch': 'No one has this name.',
  'people.rest': {
    one: '{count} more person. Search by name.',
    other: '{count} more people. Search by name.',
  },
  'people.only': 'Only',
  'people.onlyName': 'Only {name}',
  'people.compare': 'Compare',
  'people.compareNames': 'Compare {a} and {b}',
  'people.noFlights': 'No flights for {names}',
  'people.noFlightsAll': 'No flights yet',
  'people.noFlightsHint': 'Their flights appear here as soon as they are logged.',
} as const
