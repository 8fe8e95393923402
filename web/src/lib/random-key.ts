/** `crypto.randomUUID` exists only on https and localhost; a log at home may be at http://nas:3000. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
