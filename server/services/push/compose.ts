// What a notification says: a short title and body in the reader's language, with times local to the airport.
import { deviceText } from '../../domain/accounts/devices.ts'
import type { Language } from '../../domain/languages.ts'
import type { NoticeData, NoticeKind } from '../../domain/people/notices.ts'
import type { Preferences } from '../../domain/people/preferences.ts'
import { cityName } from '../../domain/reference/cities.ts'
import { cityNames } from '../../domain/reference/city-names.ts'
import { fill, pluralFor } from '../../domain/text/messages.ts'
import { addDays, localDate, localMinute } from '../../domain/time/time.ts'
import type { FlightToSay } from '../../store/push/readers.ts'
import type { Airport } from '../../store/reference/records.ts'
import type { ShownMessage } from './message.ts'
import { type PushTexts, pushTexts } from './texts.ts'

export interface Reader {
  language: Language
  timeFormat: Preferences['timeFormat']
  discreet: boolean
  origin: string
}

interface ReminderFacts extends Omit<FlightToSay, 'departure'> {
  departure: number
  from: Airport | undefined
  to: Airport | undefined
}

/** Before it is addressed to a reader. */
interface Said {
  title: string
  body: string
  about: 'flight' | 'account'
  tag: string
  path: string
}

function address(
  { language, discreet, origin }: Reader,
  { title, body, about, tag, path }: Said,
): ShownMessage {
  const silent = pushTexts[language].discreet
  return {
    ...(discreet ? { title: silent.title, body: silent[about] } : { title, body }),
    lang: language,
    tag,
    navigate: `${origin}${path}`,
  }
}

export function testMessage(language: Language, origin: string): ShownMessage {
  const { title, body } = pushTexts[language].test
  return { title, body, lang: language, tag: 'test', navigate: `${origin}/settings/notifications` }
}

// Reminders

export function reminderMessage(facts: ReminderFacts, reader: Reader, now: number): ShownMessage {
  const { language } = reader
  const texts = pushTexts[language].reminder
  const zone = facts.from?.timezone ?? 'Etc/UTC'
  const city = cityOf(facts.to, language)
  const values = {
    number: facts.flightNumber ?? '',
    city: city ?? '',
    day: dayOf(facts.departure, now, zone, language),
    time: clockOf(facts.departure, zone, reader),
  }
  const form = city
    ? texts[facts.flightNumber ? 'numbered' : 'plain']
    : texts[facts.flightNumber ? 'numberOnly' : 'nothing']
  const body = [
    cityOf(facts.from, language),
    facts.departureTerminal && fill(texts.terminal, { terminal: facts.departureTerminal }),
    facts.departureGate && fill(texts.gate, { gate: facts.departureGate }),
  ]
  return address(reader, {
    title: fill(form, values),
    body: body.filter(Boolean).join(', '),
    about: 'flight',
    tag: `flight-${facts.flightId}`,
    path: `/today?flight=${facts.flightId}`,
  })
}

const cityOf = (place: Airport | undefined, language: Language): string | undefined =>
  place && (cityName(place, cityNames[language]) ?? place.name)

/** Today, tomorrow or a weekday, where the flight departs. */
function dayOf(instant: number, now: number, zone: string, language: Language): string {
  const [date, today] = [localDate(instant, zone), localDate(now, zone)]
  const { today: onSameDay, tomorrow } = pushTexts[language].reminder
  if (date === today) return onSameDay
  if (date === addDays(today, 1)) return tomorrow
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return weekday.format(new Date(`${date}T00:00Z`))
}

function clockOf(instant: number, zone: string, { timeFormat }: Reader): string {
  const time = localMinute(instant, zone).slice(11)
  if (timeFormat !== '12h') return time
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`
}

// Notices

interface NoticeFacts {
  id: number
  kind: NoticeKind
  data: NoticeData
}

type Saying = Pick<Said, 'title' | 'body'> & Partial<Pick<Said, 'about' | 'path'>>
type Say = {
  [Kind in NoticeKind]?: (data: NoticeData<Kind>, texts: PushTexts['notice'], language: Language) => Saying
}

/** Notices that are not here are only shown in the app. */
const says: Say = {
  'flight.added': (data, { added }) => ({
    title: added.title,
    body: routeOf(data) || added.body,
    about: 'flight',
  }),
  'import.arrived': ({ created, waiting, importId }, texts, language) => {
    const [forms, count] = created > 0 ? [texts.arrived, created] : [texts.arrivedWaiting, waiting]
    const title = fill(pluralFor(forms, count, new Intl.PluralRules(language)), { count })
    return { title, body: texts.arrivedBody, about: 'flight', path: `/import/${importId}` }
  },
  'intake.stopped': ({ name }, { unread }) => ({
    title: fill(unread.title, { name }),
    body: unread.body,
    path: '/settings/imports',
  }),
  'import.waiting': ({ importId }, { waiting }) => ({
    ...waiting,
    path: `/import/${importId}`,
  }),
  'session.new': ({ userAgent }, { session, unknownDevice }) => ({
    title: session.title,
    body: fill(session.body, { device: deviceText(userAgent) ?? unknownDevice }),
  }),
  'second-factor.failed': (_data, { codes }) => codes,
  'share.published': (_data, { shared }) => shared,
  'role.gained': ({ name }, { role }) => ({ title: role.title, body: fill(role.body, { name }) }),
  'backup.failed': (_data, { backup }) => backup,
  'webhook.stopped': ({ name }, { webhook }) => ({
    title: webhook.title,
    body: fill(webhook.body, { name }),
  }),
}

const routeOf = ({ flightNumber, from, to, date }: NoticeData<'flight.added'>): string =>
  [flightNumber, [from, to].filter(Boolean).join('–'), date].filter(Boolean).join(', ')

export function noticeMessage({ id, kind, data }: NoticeFacts, reader: Reader): ShownMessage | undefined {
  const say = says[kind] as ((...given: unknown[]) => Saying) | undefined
  const said = say?.(data, pushTexts[reader.language].notice, reader.language)
  return said && address(reader, { about: 'account', path: '/notices', tag: `notice-${id}`, ...said })
}
