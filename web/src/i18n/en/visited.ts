/** Texts of the visited countries. */
export const visited = {
  'visited.title': 'Countries',
  'visited.lived': 'Lived',
  'visited.visited': 'Visited',
  'visited.layover': 'Transit',
  'visited.wishlist': 'Wish list',
  'visited.status': 'Your status for this country',
  'visited.note': 'Note',
  'visited.mapLabel': 'World map: {been}, {share} of all. The list below shows the same countries.',
  'visited.countBeen': { one: '{count} country visited', other: '{count} countries visited' },
  'visited.byContinent': 'By continent',
  'visited.ofAll': 'of {all} countries and territories, {share}',
  'visited.search': 'Search countries',
  'visited.shown': 'Countries shown',
  'visited.mine': 'Yours',
  'visited.all': 'All',
  'visited.empty': 'No country yet',
  'visited.emptyHint':
    'Countries appear here with your flights. You can also choose one of all countries and mark it.',
  'visited.fromFlights': 'From your flights: {status}',
  'visited.notMarked': 'Not marked',
  'visited.byHand': 'by hand',
  'visited.marked': 'By hand',
  'visited.noMarks': 'Nothing is marked by hand',
  'visited.noMarksHint':
    'Choose a country to say that you lived there, were there without a flight, or wish to go.',
  'visited.whyFlown': {
    one: 'Map and statistics count {count} country of your flights',
    other: 'Map and statistics count {count} countries of your flights',
  },
  'visited.whyTransit': {
    one: 'in {count} of them you only changed planes',
    other: 'in {count} of them you only changed planes',
  },
  'visited.whyNotBeen': {
    one: '{count} of them is transit or marked otherwise',
    other: '{count} of them are transit or marked otherwise',
  },
  'visited.whyByHand': { one: '{count} more is marked by hand', other: '{count} more are marked by hand' },
  'visited.ofOthers':
    'From the flights shown. Manual marks are private and only shown with your own flights.',
  'visited.marksFailed': 'Your marks by hand could not be loaded. These are the countries of your flights.',
} as const
