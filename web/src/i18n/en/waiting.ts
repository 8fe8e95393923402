/** Unsent changes, stored in this browser until the server can be reached. */
export const waiting = {
  'waiting.title': 'Not synced yet',
  'waiting.bar': {
    one: '1 change not synced yet',
    other: '{count} changes not synced yet',
  },
  'waiting.offline': {
    one: 'You are offline. 1 change not synced yet.',
    other: 'You are offline. {count} changes not synced yet.',
  },
  'waiting.sending': 'Sending your changes…',
  'waiting.asking': {
    one: '1 change needs your decision.',
    other: '{count} changes need your decision.',
  },
  'waiting.show': 'Show',
  'waiting.hint':
    'These changes are saved in this browser and sent in this order as soon as the server can be reached. Other devices do not see them yet.',
  'waiting.try': 'Try now',
  'waiting.unreached': 'The server still cannot be reached. Your changes stay here.',
  'waiting.none': 'Everything is synced',
  'waiting.noneHint': 'All your changes are on the server.',
  'waiting.sent': {
    one: 'The change to {name} was sent to the server.',
    other: '{count} changes were sent to the server.',
  },
  'waiting.saved': 'Saved on this device. It will be sent when the server can be reached.',
  'waiting.deleted': {
    one: 'Flight deleted on this device. The deletion will be sent when the server can be reached.',
    other:
      '{count} flights deleted on this device. The deletion will be sent when the server can be reached.',
  },
  'waiting.create': 'New flight',
  'waiting.edit': 'Change',
  'waiting.delete': 'Deletion',
  'waiting.restore': 'Deletion undone',
  'waiting.several': { one: '1 flight', other: '{count} flights' },
  'waiting.madeAt': 'Made {when}',
  'waiting.refused': 'Not saved: {reason}',
  'waiting.changed':
    'This flight was also changed elsewhere, in the same fields. Choose which values to keep.',
  'waiting.changedDelete': 'This flight was changed elsewhere after you deleted it here.',
  'waiting.gone': 'This flight was deleted elsewhere. You can save your version as a new flight.',
  'waiting.twice':
    'Sent over a day ago and never confirmed. Your log now has a matching flight; it may be the same one.',
  'waiting.choose': 'Choose values',
  'waiting.open': 'Open in the form',
  'waiting.deleteAnyway': 'Delete anyway',
  'waiting.keep': 'Keep the flight',
  'waiting.again': 'Try again',
  'waiting.anyway': 'Save anyway',
  'waiting.discard': 'Discard',
  'waiting.discarded': 'Change discarded',
  'waiting.flight': 'Your change to this flight is not synced yet.',
  'waiting.newFlight': 'This flight is not synced yet.',
  'waiting.signOutTitle': {
    one: 'A change has not been sent yet',
    other: '{count} changes have not been sent yet',
  },
  'waiting.signOut':
    'If you keep them, they stay in this browser and are sent when you sign in here again. Delete them on a shared device, where other people could read them.',
  'waiting.signOutKeep': 'Keep and sign out',
  'waiting.signOutDelete': 'Delete and sign out',
  'waiting.stay': 'Stay signed in',
} as const
