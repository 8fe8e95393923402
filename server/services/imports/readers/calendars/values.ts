// Shared by the readers of calendars: times with their zones, terminals and gates.
import { saysCancelled } from '../../../../domain/imports/not-flown.ts'
import { isCalendarDate, timeZoneNamed } from '../../../../domain/time/time.ts'
import type { CalendarPart, CalendarProperties } from '../../content/calendar.ts'
import type { SourceTime } from '../../reading/source.ts'

export const textOf = (properties: CalendarProperties, name: string): string =>
  properties.get(name)?.[0]?.text.trim() ?? ''

/** By its status, its title, or the status of the reservation that its description contains. */
export const isCancelled = ({ calendar, event }: CalendarPart): boolean =>
  textOf(event.properties, 'status').toUpperCase() === 'CANCELLED' ||
  textOf(calendar, 'method').toUpperCase() === 'CANCEL' ||
  saysCancelled(textOf(event.properties, 'summary')) ||
  /reservationStatus["'\\\s:=]+[^"'\s]{0,100}cancell?ed/i.test(event.raw)

/** A time without a zone is the airport's, unless the person chose another zone. */
export function timeOf(properties: CalendarProperties, name: string, hint?: string): SourceTime | null {
  const value = properties.get(name)?.[0]
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(Z)?$/.exec(value?.text ?? '')
  const [, date = '', clock = '', isUtc] = parts ?? []
  if (!value || !isCalendarDate(date)) return null
  const zone = isUtc ? 'utc' : zoneNamed(value.parameters['tzid'] ?? '')
  return { date: { iso: date, precision: 'day' }, clock, zone: zone ?? timeZoneNamed(hint ?? '') ?? 'local' }
}

/** Accepts an IANA name, perhaps after a path, or a Windows name. */
export function zoneNamed(tzid: string): string | undefined {
  const plain = tzid.trim().replace(/^"|"$/g, '')
  const atEnd = /[A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_+-]+)?$/.exec(plain.slice(-80))?.[0] ?? ''
  const lastTwo = atEnd.split('/').slice(-2).join('/')
  return (
    timeZoneNamed(plain) ??
    timeZoneNamed(atEnd) ??
    timeZoneNamed(lastTwo) ??
    windowsZones[plain.toLowerCase()]
  )
}

/** Outlook and Exchange use Windows names of zones (CLDR, the zone of the country in the name). */
const windowsZones: Readonly<Record<string, string>> = Object.fromEntries(
  `GMT Standard Time=Europe/London;Greenwich Standard Time=Atlantic/Reykjavik;UTC=Etc/UTC;W. Europe Standard Time=Europe/Berlin
Romance Standard Time=Europe/Paris;Central Europe Standard Time=Europe/Budapest;Central European Standard Time=Europe/Warsaw
E. Europe Standard Time=Europe/Chisinau;FLE Standard Time=Europe/Kiev;GTB Standard Time=Europe/Bucharest
Turkey Standard Time=Europe/Istanbul;Russian Standard Time=Europe/Moscow;Belarus Standard Time=Europe/Minsk
Israel Standard Time=Asia/Jerusalem;Egypt Standard Time=Africa/Cairo;South Africa Standard Time=Africa/Johannesburg
Morocco Standard Time=Africa/Casablanca;W. Central Africa Standard Time=Africa/Lagos;E. Africa Standard Time=Africa/Nairobi
Arab Standard Time=Asia/Riyadh;Arabian Standard Time=Asia/Dubai;Iran Standard Time=Asia/Tehran
Pakistan Standard Time=Asia/Karachi;India Standard Time=Asia/Kolkata;Sri Lanka Standard Time=Asia/Colombo
Nepal Standard Time=Asia/Kathmandu;Bangladesh Standard Time=Asia/Dhaka;SE Asia Standard Time=Asia/Bangkok
China Standard Time=Asia/Shanghai;Singapore Standard Time=Asia/Singapore;Taipei Standard Time=Asia/Taipei
W. Australia Standard Time=Australia/Perth;Tokyo Standard Time=Asia/Tokyo;Korea Standard Time=Asia/Seoul
Cen. Australia Standard Time=Australia/Adelaide;AUS Central Standard Time=Australia/Darwin
E. Australia Standard Time=Australia/Brisbane;AUS Eastern Standard Time=Australia/Sydney;Tasmania Standard Time=Australia/Hobart
New Zealand Standard Time=Pacific/Auckland;Fiji Standard Time=Pacific/Fiji;Hawaiian Standard Time=Pacific/Honolulu
Alaskan Standard Time=America/Anchorage;Pacific Standard Time=America/Los_Angeles;US Mountain Standard Time=America/Phoenix
Mountain Standard Time=America/Denver;Central Standard Time=America/Chicago;Canada Central Standard Time=America/Regina
Central Standard Time (Mexico)=America/Mexico_City;Eastern Standard Time=America/New_York;US Eastern Standard Time=America/Indianapolis
SA Pacific Standard Time=America/Bogota;Venezuela Standard Time=America/Caracas;Atlantic Standard Time=America/Halifax
Newfoundland Standard Time=America/St_Johns;E. South America Standard Time=America/Sao_Paulo;Argentina Standard Time=America/Buenos_Aires
Pacific SA Standard Time=America/Santiago;Greenland Standard Time=America/Godthab;Azores Standard Time=Atlantic/Azores
Cape Verde Standard Time=Atlantic/Cape_Verde;Georgian Standard Time=Asia/Tbilisi;Caucasus Standard Time=Asia/Yerevan
Azerbaijan Standard Time=Asia/Baku;West Asia Standard Time=Asia/Tashkent;Central Asia Standard Time=Asia/Almaty`
    .split(/[;\n]/)
    .map((pair) => pair.split('='))
    .map(([name, zone]) => [name!.toLowerCase(), zone!]),
)

export const named = (text: string, label: string): string | null =>
  new RegExp(`\\b${label}:?\\s+([A-Z0-9]{1,5})\\b`, 'i').exec(text)?.[1] ?? null
