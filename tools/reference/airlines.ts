// Airlines past and present: OpenFlights' rows, brought up to date by who holds each IATA code today and by our own
// supplement (tables/airlines.csv), which takes precedence.
import { withHistory } from './airline-history.ts'
import { nameKey, sameName, similarName, words } from './airline-names.ts'
import type { Period } from './airports.ts'
import { countryCode } from './countries.ts'
import type { IdMap } from './ids.ts'
import {
  type Row,
  readCurrentHolders,
  readOpenFlights,
  readTable,
  readWikidataNames,
  type SourceAirline,
} from './sources.ts'

export interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  country: string | null
  callsign: string | null
  active: boolean
  aliases: string[] | null
  /** A year or a day. */
  from: string | null
  to: string | null
  successorId: number | null
  codePeriods: Period[] | null
  importance: number
}

type Draft = Omit<Airline, 'id'> & { openFlightsId: number | null; key?: string; supplemented?: boolean }

/** `match`: an OpenFlights id, `new`, or empty to look for the airline among the known ones by code and name. */
type Supplement = Row<'icao' | 'iata' | 'name' | 'country' | 'from' | 'to' | 'match'>

/** The first id for airlines that OpenFlights lacks. */
export const FIRST_OWN_ID = 100_000

export function buildAirlines(ids: IdMap): Airline[] {
  const drafts = readOpenFlights().filter(isReal).map(fromOpenFlights)
  const supplement = readTable<keyof Supplement>('airlines')
  for (const row of supplement) applySupplement(row, drafts)
  applyCurrentHolders(drafts)
  const airlines = drafts.map(({ openFlightsId, key, supplemented, ...airline }) => ({
    id: openFlightsId ?? ids.idFor(keysOf(airline, key)),
    ...airline,
  }))
  return withHistory(airlines, ids).sort((a, b) => a.id - b.id)
}

const keysOf = (airline: Omit<Airline, 'id'>, key?: string) =>
  [
    key,
    airline.icao && `icao:${airline.icao}`,
    airline.iata && `iata:${airline.iata}:${nameKey(airline.name)}`,
  ].filter((k) => !!k) as string[]

const nothingMore = {
  aliases: null,
  from: null,
  to: null,
  successorId: null,
  codePeriods: null,
  importance: 0,
}

// OpenFlights

/** Ids below 2 mean "unknown" and "private flight"; a code with digits or signs marks an invented airline. */
const isReal = (row: SourceAirline) =>
  Number(row.id) > 1 &&
  row.name.trim().length > 1 &&
  row.name !== 'Dummy' &&
  /^([A-Z]{3}|\\N|N\/A|)$/.test(row.icao)

function fromOpenFlights(row: SourceAirline): Draft {
  const text = (value: string) =>
    repairEncoding(value.replaceAll('\\\\', '').replace('\\N', '')).replace(/\s+/g, ' ').trim()
  return {
    openFlightsId: Number(row.id),
    name: text(row.name).replace(/ \([A-Z0-9]{2,3}(\/[A-Z]{3})?\)$/, ''),
    icao: /^[A-Z]{3}$/.test(row.icao) ? row.icao : null,
    iata: /^[A-Z0-9]{2}$/.test(row.iata) ? row.iata : null,
    country: countryCode(row.country) ?? null,
    callsign: text(row.callsign) || null,
    active: false,
    ...nothingMore,
  }
}

/** Some names were stored as UTF-8 and read as Latin-1. */
function repairEncoding(text: string): string {
  if (!/[ÃÄÅ][\u0080-\u00bf]/.test(text)) return text
  return Buffer.from(text, 'latin1').toString('utf8')
}

const only = <T>(list: T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

// Our supplement

function applySupplement(row: Supplement, drafts: Draft[]): void {
  const draft = supplementTarget(row, drafts) ?? newDraft(drafts)
  const facts: Partial<Draft> = {
    name: row.name,
    icao: row.icao || null,
    iata: row.iata || null,
    active: row.to === '',
    from: row.from || null,
    to: row.to || null,
    supplemented: true,
  }
  if (row.country) facts.country = row.country
  if (draft.icao !== facts.icao) facts.callsign = null
  if (row.match === 'new') facts.key = `own:${row.icao || row.iata}:${nameKey(row.name)}`
  Object.assign(draft, facts)
}

function supplementTarget(row: Supplement, drafts: Draft[]): Draft | undefined {
  if (row.match === 'new') return undefined
  if (row.match) {
    const named = drafts.find((draft) => draft.openFlightsId === Number(row.match))
    if (!named)
      throw new Error(`tables/airlines.csv: ${row.name} names the unknown OpenFlights id ${row.match}`)
    return named
  }
  const free = drafts.filter((draft) => !draft.supplemented)
  return (
    free.find((draft) => row.icao && draft.icao === row.icao && draft.iata === row.iata) ??
    free.find((draft) => row.icao && draft.icao === row.icao && similarName(draft.name, row.name)) ??
    free.find(
      (draft) =>
        row.iata &&
        draft.iata === row.iata &&
        similarName(draft.name, row.name) &&
        (!draft.icao || !row.icao),
    ) ??
    only(
      free.filter(
        (draft) =>
          sameName(draft.name, row.name) &&
          (draft.country ?? row.country) === row.country &&
          (!draft.icao || !row.icao),
      ),
    )
  )
}

function newDraft(drafts: Draft[]): Draft {
  const draft: Draft = {
    openFlightsId: null,
    name: '',
    icao: null,
    iata: null,
    country: null,
    callsign: null,
    active: false,
    ...nothingMore,
  }
  drafts.push(draft)
  return draft
}

// Who holds each IATA code today

function applyCurrentHolders(drafts: Draft[]): void {
  const wikidata = readWikidataNames()
  const notCurrent = new Set(readTable<'iata' | 'name'>('not-current').map((row) => row.iata + row.name))
  const own = drafts.filter((draft) => draft.supplemented)
  for (const [iata, name] of readCurrentHolders()) {
    if (
      notCurrent.has(iata + name) ||
      own.some((draft) => draft.iata === iata && (draft.active || similarName(draft.name, name)))
    )
      continue
    const draft = currentHolder(iata, name, wikidata.get(iata), drafts) ?? newDraft(drafts)
    Object.assign(draft, { iata, name, active: true })
  }
}

function currentHolder(
  iata: string,
  name: string,
  wikidataName: string | undefined,
  drafts: Draft[],
): Draft | undefined {
  const free = drafts.filter((draft) => !draft.active && !draft.supplemented)
  const holders = free.filter((draft) => draft.iata === iata)
  return (
    holders.find((draft) => sameName(draft.name, name)) ??
    holders.find((draft) => similarName(draft.name, name)) ??
    (wikidataName && similarName(wikidataName, name)
      ? holders.find((draft) => similarName(draft.name, wikidataName))
      : undefined) ??
    only(
      free.filter(
        (draft) =>
          words(draft.name).join() === words(name).join() && (draft.iata === null || draft.icao !== null),
      ),
    )
  )
}
