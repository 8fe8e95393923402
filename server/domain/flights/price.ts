// The price of a flight: a decimal amount as text, so that sums are not rounded, and a currency code. No I/O.

/** Twelve digits before the point are more than any fare in any currency. */
export const isAmount = (text: string): boolean => /^(0|[1-9]\d{0,11})(\.\d{1,4})?$/.test(text)

/** Currencies of old tickets. */
const withdrawn =
  'ATS BEF BGL BYR CSK CYP DDM DEM EEK ESP FIM FRF GHC GRD HRK IEP ITL LTL LUF LVL MRO MTL NLG PLZ PTE ROL SIT SKK STD SUR TRL VEB VEF YUM ZWD'

export const currencies: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('currency'), ...withdrawn.split(' ')]),
].sort()
const known: ReadonlySet<string> = new Set(currencies)

/** An ISO 4217 code. */
export const isCurrency = (text: string): boolean => known.has(text)
