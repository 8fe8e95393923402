// Looking a flight up by number and day: who is asked, why there may be no answer, and how much may be asked.

/** Where a draft comes from: the person's own log, or a provider. */
export const lookupSources = ['own', 'aerodatabox', 'adsbdb'] as const
export type LookupSource = (typeof lookupSources)[number]
export type LookupProvider = Exclude<LookupSource, 'own'>

/** Why a provider gave nothing, as programs read it; the web app translates it. */
const reasons = {
  not_found: 'No flight of that number on that day was found.',
  no_provider: 'This instance asks no provider, and the number is not in your log.',
  too_far_back: 'The provider has no history beyond 365 days.',
  too_far_ahead: 'The provider knows no flights more than 365 days ahead.',
  quota_used: 'The quota of the provider is used up. Try again later.',
  too_many_lookups: 'You have looked up as many flights as one person may in a day.',
  busy: 'Too many flights are being looked up at the moment. Try again shortly.',
  key_refused: 'The provider refuses the key of this instance.',
  no_response: 'The provider does not answer.',
  bad_response: 'The provider answers something that is not understood.',
} as const
export type LookupReason = keyof typeof reasons
export const lookupReasons = Object.keys(reasons) as [LookupReason, ...LookupReason[]]
export const lookupMessage = (reason: LookupReason): string => reasons[reason]
