// ISO 3166-1 codes for the country names that OpenFlights uses.
import countries from 'i18n-iso-countries'

const ALIASES: Record<string, string> = {
  'Netherlands Antilles': 'CW',
  Macau: 'MO',
  Macao: 'MO',
  Burma: 'MM',
  Swaziland: 'SZ',
  'Cape Verde': 'CV',
  'Ivory Coast': 'CI',
  "Cote d'Ivoire": 'CI',
  'Hong Kong SAR of China': 'HK',
  'Congo (Kinshasa)': 'CD',
  'Congo (Brazzaville)': 'CG',
  'Democratic Republic of Congo': 'CD',
  'Democratic Republic of the Congo': 'CD',
  'Republic of the Congo': 'CG',
  'Lao Peoples Democratic Republic': 'LA',
  'Syrian Arab Republic': 'SY',
  "Democratic People's Republic of Korea": 'KP',
  'North Korea': 'KP',
  Reunion: 'RE',
  'Faroe Islands': 'FO',
  'Virgin Islands': 'VI',
  'British Virgin Islands': 'VG',
  Palestine: 'PS',
  Kosovo: 'XK',
  Micronesia: 'FM',
  'Sao Tome and Principe': 'ST',
  Turkey: 'TR',
  Macedonia: 'MK',
  'Czech Republic': 'CZ',
  'East Timor': 'TL',
  'Falkland Islands': 'FK',
  'Canary Islands': 'ES',
  Russia: 'RU',
  'United States': 'US',
  'South Korea': 'KR',
  Brunei: 'BN',
  Vatican: 'VA',
  Moldova: 'MD',
  Syria: 'SY',
  'Myanmar (Burma)': 'MM',
  'Somali Republic': 'SO',
  Netherland: 'NL',
  'Russia]]': 'RU',
  'Saint Vincent and the Grenadines': 'VC',
  'Bosnia and Herzegovina': 'BA',
  'Wallis and Futuna': 'WF',
}

/** Undefined if it is not a country: OpenFlights also has call signs and air forces in that column. */
export const countryCode = (name: string): string | undefined =>
  ALIASES[name] ?? countries.getAlpha2Code(name, 'en')

/** Whether it is an ISO 3166-1 alpha-2 code, or XK. */
export const isCountry = (code: string): boolean => code.length === 2 && countries.isValid(code)
