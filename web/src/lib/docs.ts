/** Addresses of the documentation, which this server has too. */

export const DOCUMENTATION = '/docs/'

/** What a version changed. */
export const whatsNewIn = (version: string): string => `${DOCUMENTATION}changelog#v${version}`

/** vite.config.ts reads it from CHANGELOG.md. */
declare const CONTRAIL_RELEASED: string | null | undefined

/** The day of this version's release; null between versions. */
export const RELEASED = typeof CONTRAIL_RELEASED === 'undefined' ? null : CONTRAIL_RELEASED
