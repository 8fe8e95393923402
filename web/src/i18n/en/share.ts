/** Owned by the share screens. */
export const share = {
  'share.title': '{name}’s flights',
  'share.titlePlain': 'Shared flights',
  'share.mapLabel': 'Map of the shared flights',
  'share.summary': '{flights} between {airports} in {countries}.',
  'share.gone': 'This share is not there',
  'share.goneHint': 'It may have expired, or its owner has taken it back.',
  'share.nothing': 'Nothing is shown here',
  'share.nothingHint': 'This page has neither a map nor statistics nor a list.',
  'share.empty': 'No flights yet',
  'share.emptyHint': 'They appear here as soon as there are some.',
  'share.more': { one: 'Show {count} more', other: 'Show {count} more' },
  'share.made': 'Made with Contrail, a flight log of one’s own.',
} as const
