/** The rows below the line: favourites before typing, missing values while typing, and what Enter does at the end. */

import type { LinePart } from '../../../server/domain/entry/line/types.ts'
import { favouriteRoutes, fitsAirline, placeAfter, returnOf } from '../../../server/domain/entry/repeat.ts'
import type { BoardingPass } from '../../../server/domain/imports/boarding-pass.ts'
import type { Flight } from '../api/log.ts'
import { addDays } from '../draft/dates.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { today } from '../lib/fields/typed.ts'
import { airportCode, formatDate, formatDay, formatWeekday } from '../lib/format.ts'
import type { IconName } from '../lib/marks/icons.ts'
import { log } from '../log/log.svelte.ts'
import { session } from '../session/session.svelte.ts'
import { line } from './line.svelte.ts'
import type { LineModel } from './model.svelte.ts'
import { againWords, airportOfLog, returnWords, routeWords } from './repeat.ts'
import { iconOf, isChoice, meaningOf } from './words.ts'

interface Suggestion {
  id: string
  icon: IconName
  strong: string
  /** Codes with an arrow between them. */
  ends: readonly [string, string] | null
  text: string
  keys: readonly IconName[]
  run: () => void
}

export interface Suggestions {
  title: string
  rows: Suggestion[]
}

const FAVOURITES = 4

const codes = (fromId: number | null, toId: number | null): readonly [string, string] | null => {
  const [from, to] = [airportOfLog(fromId), airportOfLog(toId)]
  return from && to ? [airportCode(from), airportCode(to)] : null
}

/** “14C, business, alone” */
function seatOf(flight: Flight): string {
  const own = flight.passengers.find(({ user }) => user === session.user?.id)
  const others = flight.passengers
    .filter(({ user }) => user !== session.user?.id)
    .flatMap(({ user, guest }) => (user ? (log.users[user]?.displayName ?? []) : (guest ?? [])))
  const company = others.length > 0 ? t('line.with', { names: others.join(', ') }) : t('line.alone')
  return [own?.seatNumber, own?.seatClass && t(`class.${own.seatClass}`), company].filter(Boolean).join(', ')
}

const typed = (model: LineModel, words: string) => () => model.type(words)

/** Before typing: the routes flown most, the return of the last flight, and the last flight again. */
function beforeTyping(model: LineModel): Suggestions {
  const { history } = model
  const here = placeAfter(history, session.preferences.homeAirportId)
  const rows: Suggestion[] = favouriteRoutes(history, here, FAVOURITES).map(({ fromId, toId, count }) => ({
    id: `route-${fromId}-${toId}`,
    icon: 'plane',
    strong: '',
    ends: codes(fromId, toId),
    text: t('line.times', { count }),
    keys: [],
    run: typed(model, `${routeWords({ fromId, toId, flightNumber: null }).join(' ')} `),
  }))
  const last = history.find((flight) => flight.completed) ?? history[0]
  if (last) rows.push(...repeats(model, last))
  return { title: rows.length > 0 ? t('line.favourites') : '', rows }
}

function repeats(model: LineModel, last: Flight): Suggestion[] {
  const back = returnOf(last, model.history)
  const day = formatDay(last.date, last.datePrecision)
  return [
    {
      id: 'return',
      icon: 'swap',
      strong: t('action.return'),
      ends: codes(back.fromId, back.toId),
      text: t('line.returnOf', { flight: last.flightNumber ?? airportCode(last.to), date: day }),
      keys: [],
      run: typed(model, returnWords(last)),
    },
    {
      id: 'again',
      icon: 'again',
      strong: t('action.again'),
      ends: codes(last.from?.id ?? null, last.to?.id ?? null),
      text: [last.flightNumber, seatOf(last)].filter(Boolean).join(', '),
      keys: [],
      run: typed(model, againWords(last)),
    },
  ]
}

const days = [
  { id: 'today', by: 0 },
  { id: 'yesterday', by: -1 },
  { id: 'tomorrow', by: 1 },
] as const

function missingDay(model: LineModel): Suggestions {
  const rows = days.map(({ id, by }): Suggestion => {
    const date = addDays(today(), by)
    return {
      id,
      icon: 'calendar',
      strong: t(`line.day.${id}`),
      ends: null,
      text: `${formatWeekday(date, 'long')}, ${formatDate(date)}`,
      keys: [],
      run: () => model.add(t(`line.day.${id}`).toLowerCase()),
    }
  })
  const now = today()
  const periods = (['month', 'year'] as const).map(
    (precision): Suggestion => ({
      id: precision,
      icon: 'calendar',
      strong: t(precision === 'month' ? 'line.onlyMonth' : 'line.onlyYear'),
      ends: null,
      text: formatDate(now, precision),
      keys: [],
      run: () => model.add(formatDate(now, precision)),
    }),
  )
  return { title: t('line.whichDay'), rows: [...rows, ...periods] }
}

/** Words with several meanings of which the person has to choose one: “last summer”, “Monaco”. */
function meanings(model: LineModel, part: LinePart): Suggestions {
  const rows = part.alternatives.map((alternative, i): Suggestion => {
    const { label, detail } = meaningOf(alternative, model.lookup)
    return {
      id: `meaning-${i}`,
      icon: iconOf(alternative.kind),
      strong: label,
      ends: null,
      text: detail,
      keys: [],
      run: () => model.choose(part, alternative),
    }
  })
  return { title: t(part.kind === 'date' ? 'line.whichDay' : 'line.whichAirport'), rows }
}

function passRow(model: LineModel, pass: BoardingPass): Suggestions {
  const flights = pass.legs.map(({ flightNumber, from, to }) =>
    [flightNumber, `${from}–${to}`].filter(Boolean).join(' '),
  )
  const row: Suggestion = {
    id: 'pass',
    icon: 'scan',
    strong: t('line.openPass'),
    ends: null,
    text: flights.join(', '),
    keys: ['enter'],
    run: () => model.openPass(),
  }
  return { title: '', rows: [row] }
}

function severalFlights(model: LineModel): Suggestions {
  const codeOf = (id: number | undefined) => airportCode(model.lookup.airport(id))
  const row: Suggestion = {
    id: 'save',
    icon: 'check',
    strong: t('line.saveFlights', { count: model.legs.length }),
    ends: null,
    text: model.legs.map(({ fromId, toId }) => `${codeOf(fromId)}–${codeOf(toId)}`).join(', '),
    keys: ['enter'],
    run: () => void model.save(),
  }
  return { title: t('line.ready'), rows: [row] }
}

/** Routes that start or end at the known airport. */
function missingEnd(model: LineModel): Suggestions {
  const { fromId, toId } = model.draft
  const known = fromId ?? toId
  const rows = favouriteRoutes(model.history, known ?? null, Number.POSITIVE_INFINITY)
    .filter((route) => known !== undefined && (route.fromId === known || route.toId === known))
    .slice(0, FAVOURITES)
    .map(({ fromId: a, toId: b, count }): Suggestion => {
      const other = a === known ? b : a
      const pair = fromId === undefined ? ([other, known] as const) : ([known, other] as const)
      return {
        id: `end-${other}`,
        icon: 'plane',
        strong: '',
        ends: codes(pair[0] ?? null, pair[1] ?? null),
        text: t('line.times', { count }),
        keys: [],
        run: () =>
          model.add(
            `${fromId === undefined ? t('line.fromWord') : t('line.toWord')} ${airportCode(airportOfLog(other))}`,
          ),
      }
    })
  return { title: rows.length > 0 ? t('line.fromLog') : '', rows }
}

function atTheEnd(model: LineModel): Suggestions {
  const { draft, before, back, backDraft } = model
  const end = (id: number | undefined) => airportCode(model.lookup.airport(id))
  const rows: Suggestion[] = [
    {
      id: 'save',
      icon: 'check',
      strong: draft.flightNumber ?? t('line.save'),
      ends: [end(draft.fromId), end(draft.toId)],
      text: before
        ? t('line.before', { count: before.times, date: formatDate(before.date) })
        : t('line.first'),
      keys: ['enter'],
      run: () => void model.save(),
    },
  ]
  if (back)
    rows.push({
      id: 'save-return',
      icon: 'swap',
      strong: t('line.and', { flight: back.flightNumber ?? t('line.return') }),
      ends: [end(draft.toId), end(draft.fromId)],
      text: backDraft?.date
        ? t('line.stay', { date: formatDay(backDraft.date), count: back.stayDays ?? 0 })
        : t('line.stayUnknown'),
      keys: ['shift', 'enter'],
      run: () => void model.save({ withReturn: true }),
    })
  const last = lastLike(model)
  if (last) rows.push(again(model, last))
  return { title: before ? t('line.fromLog') : t('line.ready'), rows }
}

/** The latest flight like this one, if it can add something. */
function lastLike({ draft, history }: LineModel): Flight | undefined {
  if (draft.seatClass !== undefined && draft.people !== undefined) return undefined
  return history.find(
    (flight) =>
      flight.from?.id === draft.fromId &&
      flight.to?.id === draft.toId &&
      fitsAirline(flight, typedFlight(draft)) &&
      (draft.flightNumber === undefined || flight.flightNumber === draft.flightNumber),
  )
}

const typedFlight = ({ airlineId, flightNumber }: LineModel['draft']) => ({
  airline: airlineId === undefined ? null : { id: airlineId },
  flightNumber: flightNumber ?? null,
})

/** Values of that flight, on the typed day. */
function again(model: LineModel, last: Flight): Suggestion {
  const day = model.parts.find(({ kind }) => kind === 'date')?.text ?? ''
  return {
    id: 'again',
    icon: 'again',
    strong: t('action.again'),
    ends: null,
    text: t('app.labelled', {
      label: t('line.asOn', { date: formatDate(last.date, last.datePrecision) }),
      value: seatOf(last),
    }),
    keys: ['arrowDown'],
    run: typed(model, `${day} ${againWords(last)}`),
  }
}

export function suggestionsFor(model: LineModel): Suggestions {
  if (line.text.trim() === '') return beforeTyping(model)
  if (model.pass) return passRow(model, model.pass)
  const { missing, problem } = model.reading
  if (problem) return { title: '', rows: [] }
  const choice = model.parts.find(isChoice)
  if (choice && missing.length > 0) return meanings(model, choice)
  if (missing.length === 0) return model.legs.length > 1 ? severalFlights(model) : atTheEnd(model)
  return missing.length === 1 && missing[0] === 'date' ? missingDay(model) : missingEnd(model)
}
