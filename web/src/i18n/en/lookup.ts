/** Looking a flight up by number and date. */
export const lookup = {
  'lookup.button': 'Look up',
  'lookup.busy': 'Looking up…',
  'lookup.source.own': 'your log',
  'lookup.source.aerodatabox': 'AeroDataBox',
  'lookup.source.adsbdb': 'adsbdb',
  'lookup.filled': 'Filled in from {source}: {fields}.',
  'lookup.filledNothing': 'Nothing new from {source}.',
  'lookup.kept': 'Your entries were kept: {fields}.',
  'lookup.usual':
    'Usually {departure} to {arrival} in your log. Not filled in, because the times may differ on that day.',
  'lookup.usualRoute':
    'This flight number usually flies this route today. Check whether that applies to your day.',
  'lookup.choose': 'Several flights have this number. Which one?',
  'lookup.cancelled': '{route} was cancelled that day.',
  'lookup.route': 'the route',
  'lookup.fill': 'Fill in actual times, aircraft, registration',
  'lookup.fillTitle': 'Fill in actual data',
  'lookup.fillFrom':
    'From {source}: {number} on {date}. Empty fields and planned times are selected. Your own entries are kept unless you select them.',
  'lookup.fillNothing': 'Nothing to add: {source} has no new information.',
  'lookup.fillOther': '{source} has {number} on that day, but not from {route}.',
  'lookup.fillSave': { one: 'Fill in {count} field', other: 'Fill in {count} fields' },
  'lookup.fillDone': 'Filled in',
  'lookup.empty': 'empty',
  'lookup.reason.not_found': 'No flight with this number was found on that day.',
  'lookup.reason.no_provider': 'This number is not in your log, and this instance has no lookup provider.',
  'lookup.reason.too_far_back': 'The provider has no data older than 365 days.',
  'lookup.reason.too_far_ahead': 'The provider has no flights that far ahead.',
  'lookup.reason.quota_used': 'The provider’s quota is used up. Try again later.',
  'lookup.reason.too_many_lookups': 'You have reached the daily lookup limit. Try again tomorrow.',
  'lookup.reason.busy': 'Many flights are being looked up at the moment. Try again in a few seconds.',
  'lookup.reason.key_refused':
    'The provider rejected this instance’s key. The owner needs to check AERODATABOX_KEY.',
  'lookup.reason.no_response': 'The provider is not responding. Try again later.',
  'lookup.reason.bad_response': 'The provider’s response could not be read.',
} as const
