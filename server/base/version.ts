import { readFileSync } from 'node:fs'

/** The instance's version, as released. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
