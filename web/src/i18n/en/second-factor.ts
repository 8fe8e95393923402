export const secondFactor = {
  'factor.title': 'Second factor',
  'factor.hint':
    'After your password, you enter a code from an authenticator app on your phone. Passkeys and your provider need no code.',
  'factor.noPassword': 'Your account has no password that a second factor could protect.',
  'factor.setUp': 'Set up',
  'factor.on': 'On since {date}',
  'factor.codesLeft': { one: '{count} recovery code left', other: '{count} recovery codes left' },
  'factor.trusted': { one: '{count} trusted browser', other: '{count} trusted browsers' },
  'factor.fewCodes': 'Create new recovery codes before you use the last one.',
  'factor.unreadable':
    'This server lost the secret of your authenticator app, so its codes no longer work. Turn the second factor off and set it up again.',
  'factor.newCodes': 'New recovery codes',
  'factor.newCodes.hint': 'The old recovery codes stop working immediately.',
  'factor.off': 'Turn off',
  'factor.off.title': 'Turn off the second factor',
  'factor.off.hint': 'You then sign in with your password alone. The recovery codes stop working.',
  'factor.off.done': 'Second factor turned off',
  'factor.scan':
    'Scan this with an authenticator app, such as Aegis, 2FAS or the one in your password manager.',
  'factor.qr': 'QR code for the authenticator app',
  'factor.secret': 'Or type this key into the app',
  'factor.code': 'Six-digit code from the app',
  'factor.enable': 'Turn on',
  'factor.codes.title': 'Your recovery codes',
  'factor.codes.hint':
    'Keep them where you can reach them without your phone. Each replaces a code once. They are shown only once.',
  'factor.codes.list': 'Recovery codes',
  'factor.codes.download': 'Download',
  'factor.codes.print': 'Print',
  'factor.codes.done': 'I have saved them',
  'factor.codes.file': 'Recovery codes for {name} at {host}',
  'confirm.title': 'Confirm that it is you',
  'confirm.hint':
    'This gives or changes lasting access to your account. You will not be asked again for five minutes.',
  'confirm.password': 'Your password',
  'confirm.action': 'Confirm',
  'confirm.passkey': 'Use a passkey',
  'confirm.provider': 'Confirm with {name}',
  'confirm.providerHint':
    'You will leave this page and come back. Your entries are kept, except passwords and codes.',
  'confirm.none': 'Sign out and sign in again, then repeat what you were about to do.',
  'settings.password.set': 'Set a password',
  'settings.password.setHint':
    'Your account has no password. With one you can also sign in without a passkey or your provider.',
  'settings.password.isSet': 'Password set. Other devices were signed out.',
  'settings.password.off': 'Only the owner signs in with a password here.',
} as const
