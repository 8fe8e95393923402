/** Texts of the public share page. */
export const share = {
  'share.title': '{name}’s flights',
  'share.tripOf': 'A trip of {name}',
  'share.flightOf': 'A flight of {name}',
  'share.planned': 'Still to come',
  'share.localTimes': 'Local times',
  'share.titlePlain': 'Shared flights',
  'share.mapLabel': 'Map of the shared flights',
  'share.summary': '{flights} between {airports} in {countries}.',
  'share.gone': 'This share does not exist',
  'share.goneHint': 'It may have expired or been deleted.',
  'share.nothing': 'Nothing to show',
  'share.nothingHint': 'This page has no map, statistics or list.',
  'share.empty': 'No flights yet',
  'share.emptyHint': 'New flights will appear here.',
  'share.more': { one: 'Show {count} more', other: 'Show {count} more' },
  'share.made': 'Made with Contrail, the self-hosted flight log.',
} as const
